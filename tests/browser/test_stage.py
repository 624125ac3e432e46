"""The stage in a real browser, mounted alone by apps/stage_demo.py."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Page, expect

import datasets
import engine
from drawing.storyboard import storyboard
from tests.browser.server import ROOT, serve

pytestmark = pytest.mark.browser
APP = ROOT / "tests" / "browser" / "apps" / "stage_demo.py"


@pytest.fixture(scope="module")
def demo() -> Iterator[str]:
    with serve(APP) as address:
        yield address


@pytest.fixture(scope="module")
def tennis() -> engine.Growth:
    return engine.grow(datasets.load("play_tennis"), engine.GrowthSettings.id3())


@pytest.fixture(scope="module")
def board(tennis):
    return storyboard(tennis)


def visit(page: Page, address: str, query: str = "data=play_tennis") -> Page:
    page.goto(f"{address}/?{query}")
    page.locator("[data-node='0']").wait_for(state="attached")
    return page


def at_step(page: Page, step: int, last: int = 11) -> None:
    expect(page.get_by_test_id("stepper-count")).to_have_text(f"Step {step} of {last}")
    expect(page.get_by_test_id("stepper-position")).to_have_value(str(step))


def reported(page: Page, words: str) -> None:
    """The server has heard: the demo writes what it was told."""
    expect(page.get_by_test_id("stText")).to_contain_text(words)


def states(page: Page) -> dict[int, str]:
    found = page.locator(".viewport").evaluate(
        "view => [...view.querySelectorAll('[data-node]')].map(g => [Number(g.dataset.node), g.dataset.state])"
    )
    return dict(found)


def expected_states(growth: engine.Growth, step: int) -> dict[int, str]:
    tree = growth.tree.at(step)
    found = {}
    for node in range(len(tree.nodes)):
        if not tree.is_visible[node]:
            found[node] = "hidden"
        elif node == growth[step].node:
            found[node] = "current"
        elif tree.is_open[node]:
            found[node] = "open"
        else:
            found[node] = "split" if tree.is_split[node] else "leaf"
    return found


def test_each_step_shows_the_tree_as_it_then_stood(page, demo, tennis, board):
    visit(page, demo)
    for step in range(len(tennis)):
        at_step(page, step)
        assert states(page) == expected_states(tennis, step)
        expect(page.get_by_test_id("narration")).to_have_text(board["sentences"][step])
        page.keyboard.press("ArrowRight")
    for step in reversed(range(len(tennis))):
        assert states(page) == expected_states(tennis, step)
        page.keyboard.press("ArrowLeft")


def test_the_candidates_are_those_of_the_steps_node_ranked(page, demo, tennis):
    visit(page, demo)
    for step in range(len(tennis)):
        node = tennis[step].node
        shown = page.get_by_test_id("why").locator("[data-candidate]")
        found = shown.evaluate_all("all => all.map(one => [one.dataset.candidate, one.dataset.chosen])")
        if found:
            assert page.locator(".bar-length").first.evaluate("bar => bar.style.transform") == "scaleX(1)"
        scored = tennis.tree.nodes.scored[node] and step > 0
        ranked = tennis.best_candidates(node) if scored else []
        assert found == [[c.feature, str(c.chosen).lower()] for c in ranked]
        page.keyboard.press("ArrowRight")


def test_the_buttons_step_and_the_ends_hold(page, demo):
    visit(page, demo)
    page.get_by_test_id("stepper-previous").click()
    at_step(page, 0)
    page.get_by_test_id("stepper-next").click()
    page.get_by_test_id("stepper-next").click()
    at_step(page, 2)
    page.get_by_test_id("stepper-previous").click()
    at_step(page, 1)
    page.get_by_test_id("stepper-last").click()
    at_step(page, 11)
    page.get_by_test_id("stepper-next").click()
    page.keyboard.press("ArrowRight")
    at_step(page, 11)
    page.get_by_test_id("stepper-first").click()
    at_step(page, 0)
    reported(page, "position 0,")


def test_home_and_end_go_to_the_ends(page, demo):
    visit(page, demo)
    page.keyboard.press("End")
    at_step(page, 11)
    reported(page, "position 11,")
    page.keyboard.press("Home")
    at_step(page, 0)
    reported(page, "position 0,")


def test_twelve_presses_at_30_ms_move_twelve_steps(page, demo):
    visit(page, demo, "data=iris")
    for _ in range(12):
        page.keyboard.press("ArrowRight")
        page.wait_for_timeout(30)
    at_step(page, 12, last=25)
    reported(page, "position 12,")


def test_an_arrow_on_the_focused_range_counts_once(page, demo):
    visit(page, demo)
    page.get_by_test_id("stepper-position").focus()
    page.keyboard.press("ArrowRight")
    at_step(page, 1)
    page.keyboard.press("End")
    at_step(page, 11)


def test_the_range_moves_the_stage(page, demo):
    visit(page, demo)
    page.get_by_test_id("stepper-position").fill("7")
    at_step(page, 7)
    reported(page, "position 7,")


def test_space_plays_and_pauses(page, demo):
    visit(page, demo)
    page.locator(".speed").select_option("150")
    page.locator(".narration").click()
    page.evaluate("document.activeElement.blur()")
    page.keyboard.press(" ")
    at_step(page, 11)
    reported(page, "position 11,")
    expect(page.get_by_test_id("stepper-play")).to_have_attribute("aria-pressed", "false")


def test_space_on_a_focused_button_presses_it(page, demo):
    visit(page, demo)
    page.get_by_test_id("stepper-next").focus()
    page.keyboard.press(" ")
    at_step(page, 1)
    expect(page.get_by_test_id("stepper-play")).to_have_attribute("aria-pressed", "false")


def test_what_uses_the_keys_itself_keeps_them(page, demo):
    visit(page, demo)
    word = page.get_by_label("A word")
    word.fill("a word")
    word.press("Home")
    word.press("ArrowRight")
    word.press(" ")
    at_step(page, 0)
    page.get_by_role("slider", name="A level").focus()
    page.keyboard.press("ArrowRight")
    expect(page.get_by_role("slider", name="A level")).to_have_value("6")
    at_step(page, 0)


def test_keys_with_modifiers_are_left_alone(page, demo):
    visit(page, demo)
    for key in ("Shift+ArrowRight", "Control+End", "Alt+ArrowLeft"):
        page.locator(".narration").press(key)
    at_step(page, 0)


def test_the_keys_work_with_the_focus_on_a_button_of_the_page(page, demo):
    visit(page, demo)
    page.get_by_role("button", name="Go to 3").focus()
    page.keyboard.press("ArrowRight")
    at_step(page, 1)


def test_a_jump_from_python_moves_the_stage(page, demo):
    visit(page, demo)
    page.keyboard.press("End")
    reported(page, "position 11,")
    page.get_by_role("button", name="Go to 3").click()
    at_step(page, 3)
    page.keyboard.press("End")
    reported(page, "position 11,")


@pytest.mark.parametrize(("asked", "shown"), [("5", 5), ("999", 11), ("-4", 0)])
def test_a_link_opens_its_step(page, demo, asked, shown):
    visit(page, demo, f"data=play_tennis&step={asked}")
    at_step(page, shown)


def test_another_table_starts_anew(page, demo):
    visit(page, demo)
    page.get_by_role("combobox", name="Data").click()
    page.get_by_role("option", name="iris").click()
    expect(page.get_by_test_id("stepper-position")).to_have_attribute("max", "25")
    page.keyboard.press("Escape")
    page.locator(".narration").click()
    page.keyboard.press("End")
    at_step(page, 25, last=25)


def test_a_click_selects_a_node_and_stepping_lets_it_go(page, demo, tennis):
    visit(page, demo, "data=play_tennis&step=6")
    page.locator("[data-node='0'] .node-shape").click()
    reported(page, "selected 0,")
    expect(page.locator("[data-node='0']")).to_have_class("node k1 lit")
    expect(page.locator(".why-path")).to_have_text("all rows")
    expect(page.get_by_test_id("why").locator("[data-chosen=true]")).to_have_attribute("data-candidate", "outlook")
    assert states(page) == expected_states(tennis, 6)
    page.locator(".back").click()
    reported(page, "selected None,")
    page.locator("[data-node='0'] .node-shape").click()
    page.keyboard.press("ArrowRight")
    reported(page, "selected None,")


def test_a_node_is_selected_with_the_keyboard(page, demo):
    visit(page, demo, "data=play_tennis&step=3")
    page.locator("[data-node='1']").focus()
    page.keyboard.press("Enter")
    reported(page, "selected 1,")


def test_a_click_on_a_bar_opens_its_candidate(page, demo):
    visit(page, demo, "data=play_tennis&step=1")
    page.locator("[data-candidate=wind]").click()
    reported(page, "candidate wind,")
    page.locator("[data-candidate=wind]").click()
    reported(page, "candidate None,")


def test_a_coarser_press_skips_steps_and_the_count_stays_that_of_entries(page, demo, board):
    visit(page, demo)
    for name in ("node", "level"):
        page.get_by_test_id("stepper-first").click()
        page.locator(f"[data-granularity={name}]").click()
        for step in board["granularity"][name][1:]:
            page.keyboard.press("ArrowRight")
            at_step(page, step)


def test_detail_walks_through_the_features_inside_a_step(page, demo, board):
    visit(page, demo)
    page.locator("[data-granularity=detail]").click()
    for fine in board["granularity"]["fine"][1]:
        page.keyboard.press("ArrowRight")
        at_step(page, 1)
        expect(page.get_by_test_id("narration")).to_have_text(fine["sentence"])
        expect(page.locator("[data-kind=scoring]")).to_have_attribute("data-candidate", fine["feature"])
    page.keyboard.press("ArrowRight")
    at_step(page, 1)
    expect(page.get_by_test_id("narration")).to_have_text(board["sentences"][1])
    page.keyboard.press("ArrowRight")
    at_step(page, 2)
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("ArrowLeft")
    at_step(page, 1)
    expect(page.get_by_test_id("narration")).to_have_text(board["granularity"]["fine"][1][-1]["sentence"])


def test_chips_hide_what_they_name(page, demo):
    visit(page, demo)
    for chip, part in (("counts", ".node-counts"), ("impurity", ".node-impurity"), ("bar", ".node-bar")):
        shown = page.locator(f"[data-node='0'] {part}")
        expect(shown).to_be_visible()
        page.locator(f"[data-chip={chip}]").click()
        expect(shown).to_be_hidden()


def test_the_outline_shows_hidden_nodes_without_telling_their_state(page, demo, tennis):
    visit(page, demo)
    expect(page.locator("[data-node='7']")).to_be_hidden()
    page.locator("[data-outline]").click()
    expect(page.locator("[data-node='7'] .node-shape")).to_be_visible()
    expect(page.locator("[data-node='7'] .node-test")).to_be_hidden()
    assert states(page) == expected_states(tennis, 0)


def test_a_branch_folds_and_unfolds(page, demo):
    visit(page, demo, "data=play_tennis&step=11")
    page.locator("[data-node='2']").dblclick()
    expect(page.locator("[data-node='3']")).to_be_hidden()
    expect(page.locator("[data-node='2'] .fold-count")).to_have_text("+ 2")
    page.locator("[data-node='2']").dblclick()
    expect(page.locator("[data-node='3']")).to_be_visible()
    page.get_by_label("Show one level less").click()
    expect(page.locator("[data-node='3']")).to_be_hidden()
    expect(page.locator("[data-node='2']")).to_be_visible()


def test_a_selected_branch_folds_without_a_double_click(page, demo):
    visit(page, demo, "data=play_tennis&step=11")
    expect(page.locator(".fold")).to_be_hidden()
    page.locator("[data-node='2'] .node-shape").click()
    page.get_by_role("button", name="Fold", exact=True).click()
    expect(page.locator("[data-node='3']")).to_be_hidden()
    page.get_by_role("button", name="Unfold").click()
    expect(page.locator("[data-node='3']")).to_be_visible()
    page.locator("[data-node='3'] .node-shape").click()
    expect(page.locator(".fold")).to_be_hidden()


def test_turning_the_tree_keeps_its_step(page, demo, tennis):
    visit(page, demo, "data=play_tennis&step=5")
    page.locator("[data-turn]").click()
    at_step(page, 5)
    assert states(page) == expected_states(tennis, 5)


def test_guess_first_hides_the_answer_until_it_is_given(page, demo, tennis):
    visit(page, demo, "data=play_tennis&guess=true")
    root = page.locator("[data-node='0']")
    for part in (".node-counts", ".node-impurity", ".node-bar"):
        expect(root.locator(part)).to_be_hidden()
    page.keyboard.press("End")
    at_step(page, 1)
    text = page.locator(".stage").inner_text()
    assert "0.247" not in text
    assert "gains" not in text
    expect(page.locator("[data-candidate]")).to_have_count(0)
    names = page.locator("[data-guess]").evaluate_all("all => all.map(one => one.dataset.guess)")
    assert names == [feature.name for feature in tennis.table.features]
    page.locator("[data-guess=wind]").click()
    expect(page.locator(".verdict")).to_contain_text("0 of 1 right")
    expect(page.locator("[data-candidate]").first).to_have_attribute("data-candidate", "outlook")
    reported(page, "Guess(node=0, feature='wind', right=False)")
    page.keyboard.press("End")
    at_step(page, 4)
    for part in (".node-counts", ".node-impurity", ".node-bar"):
        expect(page.locator("[data-node='5']").locator(part)).to_be_hidden()
    page.locator("[data-guess=wind]").click()
    expect(page.locator(".verdict")).to_contain_text("1 of 2 right")
    page.keyboard.press("End")
    at_step(page, 8)
    page.locator(".show-me").click()
    expect(page.locator(".verdict")).to_contain_text("1 of 2 right")
    page.keyboard.press("End")
    at_step(page, 11)


def test_nothing_that_a_screen_reader_hears_gives_the_guess_away(page, demo):
    visit(page, demo, "data=play_tennis&guess=true")
    page.keyboard.press("ArrowRight")
    label = page.locator("[data-node='0']").get_attribute("aria-label") or ""
    assert "14 rows" in label
    assert "entropy" not in label
    assert "yes" not in label


def test_names_that_are_code_are_shown_and_do_not_run(page, demo):
    visit(page, demo, "data=hostile&step=1")
    names = page.locator("[data-candidate]").evaluate_all("all => all.map(one => one.dataset.candidate)")
    assert "<img src=x onerror=window.ran=1>" in names
    page.keyboard.press("End")
    page.locator("summary").first.click()
    page.get_by_text("The tree as text").click()
    page.locator("[data-node='0']").hover()
    expect(page.locator(".tooltip")).to_be_visible()
    assert page.evaluate("window.ran") is None
    assert page.locator(".viewport :is(script, foreignObject, image, iframe, [onload], [onerror])").count() == 0
    assert page.locator(".stage :is(img, script, iframe)").count() == 0


def test_a_picture_that_was_tampered_with_is_made_harmless(page, demo):
    """The second lock: what the drawing never writes is dropped all the same."""
    visit(page, demo)
    source = (ROOT / "widgets" / "stage" / "js" / "picture.js").read_text(encoding="utf-8")
    evil = """<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" onload="window.ran=1">
      <script>window.ran=1</script><foreignObject><body xmlns="http://www.w3.org/1999/xhtml"/></foreignObject>
      <a href="javascript:window.ran=1"><text>x</text></a><use href="http://x/y.svg#z"/><style>*{}</style>
      <animate attributeName="href" to="javascript:1"/><image xlink:href="http://x/p.png"/>
      <g onclick="window.ran=1" style="fill:url(http://x/p)" fill="url(#own)" stroke="url(http://x/p)" data-node="0"/>
    </svg>"""
    left = page.evaluate(f"text => {{ {source}; return parsePicture(text).outerHTML }}", evil)
    for gone in (
        "script",
        "foreignObject",
        "onload",
        "onclick",
        "href",
        "http://x",
        "style",
        "animate",
        "image",
        "use",
    ):
        assert gone not in left.replace('xmlns:xlink="http://www.w3.org/1999/xlink"', "")
    assert 'data-node="0"' in left
    assert 'fill="url(#own)"' in left


def test_a_step_sends_little_over_the_wire(page, demo):
    sizes: list[int] = []
    page.on("websocket", lambda socket: socket.on("framereceived", lambda frame: sizes.append(len(frame))))
    visit(page, demo, "data=iris")
    reported(page, "position 0,")
    page.wait_for_timeout(1000)
    opened = sum(sizes)
    sizes.clear()
    page.keyboard.press("ArrowRight")
    reported(page, "position 1,")
    page.wait_for_timeout(500)
    assert 0 < sum(sizes) < 10_000 < opened
