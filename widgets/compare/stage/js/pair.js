// The stage of two trees: one stepper, one small state, and both sides painted in one go.
// Streamlit calls the default export again whenever its data changed, with the same parent.

const pairs = new WeakMap();
const SIDES = ["a", "b"];

export default function ({ parentElement, data, setStateValue }) {
  const pair = pairs.get(parentElement) ?? mountPair(parentElement);
  pairs.set(parentElement, pair);
  pair.reporter.send = setStateValue;
  pair.receive(data);
  return () => {
    pairs.delete(parentElement);
    pair.unmount();
  };
}

/** The first line of the data names the stage, the story and the lengths of its three deflated parts. */
function readPair(bytes) {
  const end = bytes.indexOf(10);
  const header = JSON.parse(new TextDecoder().decode(bytes.subarray(0, end)));
  let at = end + 1;
  const parts = header.lengths.map((length) => bytes.subarray(at, (at += length)));
  const inflated = (part) => new Blob([part]).stream().pipeThrough(new DecompressionStream("deflate"));
  return { header, boards: () => Promise.all(parts.map((part) => new Response(inflated(part)).json())) };
}

function mountPair(parent) {
  const root = parent.querySelector(".stage");
  const part = (name) => root.querySelector(name);
  const button = (name) => part(`[data-testid=stepper-${name}]`);
  const style = root.appendChild(element("style"));
  const reporter = makeReporter();
  const view = makeView(root, { changed });
  const sides = SIDES.map((letter, index) =>
    makeSide(part(`[data-side=${letter}]`), {
      other: SIDES[1 - index].toUpperCase(),
      select: (node) => select(index, node),
      fold: () => repaint(false),
    }));

  let name = "";
  let coming = "";
  let pair = null;
  let stories = [];
  let heard = { story: "", goto: null };
  let pointed = 0; // how often Python has selected a node
  let playing = 0;
  const state = { step: 0, selected: [null, null] };

  // ---- what comes from Python ----

  async function receive(bytes) {
    const { header, boards } = readPair(bytes);
    name = header.stage;
    if (coming === header.story) return;
    coming = header.story;
    const [first, second, both] = await boards();
    if (coming !== header.story) return; // another story has come since
    open([first, second].map(readStory), { ...both, key: header.story, last: both.steps.length - 1 });
    const said = window.espalierSaid?.get(name);
    if (said) listen(said);
  }

  function open(nextStories, next) {
    [stories, pair] = [nextStories, next];
    pause();
    style.textContent = harmlessStyle(stories[0].style);
    const { light, dark } = richest(stories).theme;
    for (const variable of Object.keys(light)) {
      root.style.setProperty(variable, `light-dark(${light[variable]}, ${dark[variable]})`);
    }
    sides.forEach((side, index) => side.open(stories[index], pair.titles[SIDES[index]], pair.marks[SIDES[index]]));
    write(part("[data-chip=bar]"), stories.every((story) => story.classes.length) ? WORDS.shares : WORDS.spread);
    button("position").max = pair.last;
    showTicks(part(".ticks"), pair.differences, pair.last);
    showFirst();
    part(".texts").querySelectorAll("ul").forEach((list) => list.replaceChildren());
    const said = window.espalierSaid?.get(name);
    Object.assign(state, { step: said?.story === pair.key ? Math.min(said.position, pair.last) : 0, selected: [null, null] });
    heard = { story: said?.story, goto: said?.goto };
    if (said?.story === pair.key) view.take(said.view);
    draw();
    tellAll();
  }

  /** The theme of the table with more classes: colours are the same, there are only more of them. */
  const richest = (all) => all.reduce((a, b) => (b.classes.length > a.classes.length ? b : a));

  function listen(said) {
    if (said.stage !== name || said.story !== pair?.key) return;
    const jumps = heard.story !== said.story || heard.goto !== said.goto;
    heard = { story: said.story, goto: said.goto };
    if (jumps) jump(said);
    const points = said.pointed !== pointed && said.selected.some((node) => node !== null);
    pointed = said.pointed;
    if (points) point(said.selected);
  }

  /** Go where Python asks, and see the trees as it asks. */
  function jump(said) {
    Object.assign(state, { step: Math.min(said.position, pair.last), selected: [null, null] });
    const { orientation, levels } = view.now;
    view.take(said.view);
    if (view.now.orientation !== orientation || view.now.levels !== levels) draw();
    else repaint();
    tellAll();
  }

  /** Select what was pointed at beside the trees, and bring it into view. */
  function point(nodes) {
    const index = nodes[0] === null ? 1 : 0;
    state.selected = [null, null];
    select(index, nodes[index]);
    sides.forEach((side, place) => {
      const node = state.selected[place];
      if (node !== null) side.camera.follow(...side.tree.boxes(node, stepOf(place)));
    });
  }

  function tellAll() {
    reporter.correct("position", state.step);
    reporter.correct("selected", state.selected);
  }

  // ---- stepping ----

  function move(direction) {
    if (!pair) return;
    go(neighbour(pair.granularity[view.now.granularity], state.step, direction, pair.last));
  }

  function go(wanted) {
    if (!pair) return;
    const step = Math.min(Math.max(wanted, 0), pair.last);
    const moved = step !== state.step;
    state.step = step;
    if (state.selected.some((node) => node !== null)) choose([null, null]);
    sides.forEach((side) => side.tree.hideTooltip());
    repaint();
    if (moved) reporter.position(step, playing > 0);
  }

  const moves = {
    next: () => { pause(); move(1); },
    previous: () => { pause(); move(-1); },
    first: () => { pause(); go(0); },
    last: () => { pause(); go(pair?.last); },
    play: () => (playing ? pause() : pair && play()),
  };

  function play() {
    if (state.step === pair.last) go(0);
    playing = 1;
    tick();
  }

  function tick() {
    if (!root.isConnected) return;
    playing = setTimeout(() => {
      if (!playing) return;
      move(1);
      if (!playing) return;
      if (state.step === pair.last) pause();
      else tick();
    }, view.pace());
    paintPlay();
  }

  function pause() {
    if (!playing) return;
    clearTimeout(playing);
    playing = 0;
    reporter.flush();
    paintPlay();
  }

  function paintPlay() {
    button("play").setAttribute("aria-pressed", playing > 0);
    button("play").setAttribute("aria-label", playing ? WORDS.pause : WORDS.play);
  }

  // ---- selecting ----

  /** A node that is selected on one side is selected on the other too, where that has it. */
  function select(index, node) {
    const same = node === null || node === state.selected[index];
    const twin = same ? -1 : pair.twins[SIDES[index]][node];
    const chosen = [null, null];
    if (!same) [chosen[index], chosen[1 - index]] = [node, twin < 0 ? null : twin];
    choose(chosen);
    repaint(false);
  }

  function choose(selected) {
    state.selected = selected;
    reporter.now("selected", selected);
  }

  // ---- painting ----

  function repaint(follows = true) {
    paintStepper();
    const sentence = pair.sentences[state.step] || pair.words.untold;
    write(part(".narration"), sentence);
    part(".narration").dataset.length = lengthOf(sentence);
    if (width <= 700) refit(part(".narration"));
    sides.forEach((side, index) => side.paint({
      step: stepOf(index),
      selected: state.selected[index],
      taken: takenBeside(index),
      waits: state.step > 0 && pair.steps[state.step - 1][index] === stepOf(index),
      follows,
    }));
    root.dataset.together = pair.together[state.step];
    if (part(".as-text").open) paintText();
  }

  const stepOf = (index) => pair.steps[state.step][index];

  /** The bar that the other side chose at the node which this side shows; null where there is none. */
  function takenBeside(index) {
    const other = 1 - index;
    const node = state.selected[index] ?? nodeOfStep(stories[index], stepOf(index));
    const twin = pair.twins[SIDES[index]][node];
    if (twin < 0 || !isScored(stories[other], twin, stepOf(other))) return null;
    return stories[other].why[twin]?.bars.find((bar) => bar.chosen) ?? null;
  }

  function paintStepper() {
    const slider = button("position");
    slider.value = state.step;
    slider.style.setProperty("--done", pair.last ? state.step / pair.last : 0);
    slider.setAttribute("aria-valuetext", WORDS.step(state.step, pair.last));
    write(part(".count"), WORDS.step(state.step, pair.last));
    for (const end of ["first", "previous"]) button(end).classList.toggle("spent", state.step === 0);
    for (const end of ["next", "last"]) button(end).classList.toggle("spent", state.step === pair.last);
  }

  function showFirst() {
    const [first] = pair.differences;
    const target = part(".first-difference");
    target.disabled = first === undefined;
    if (first === undefined) return write(target, PAIR_WORDS.noDifference);
    const [sign, long, step] = PAIR_WORDS.firstDifference(first);
    target.replaceChildren(sign, element("span", "long", long), step);
    target.setAttribute("aria-label", long + step);
  }

  /** How long a sentence is for its place, so that type shrinks instead of the page moving. */
  function lengthOf(sentence) {
    const [lines, letter] = width > 700 ? [2, 11.6] : [3, 9.3]; // of the largest type, in stage.css
    const room = (lines * (width - 20)) / letter;
    return sentence.length <= room ? "short" : sentence.length <= 1.7 * room ? "long" : "longest";
  }

  /** Both trees as nested lists, as far as they are grown. */
  function paintText() {
    SIDES.forEach((letter, index) => {
      const { nodes } = stories[index];
      const shown = nodes.shown_at.flatMap((at, node) => (stepOf(index) >= at ? [node] : []));
      part(`.texts [data-side=${letter}]`).replaceChildren(...shown.map((node) => {
        const decided = isDecided(stories[index], node, stepOf(index));
        const sign = decided ? `${PAIR_WORDS.sign[pair.marks[letter][node]]} ` : "";
        const words = decided ? nodes.outline[node] : `${lastCondition(stories[index], node)}: ${nodes.rows[node]}, ${WORDS.open}`;
        const item = element("li", "", sign + words);
        item.style.setProperty("--indent", nodes.depth[node]);
        return item;
      }));
    });
  }

  // ---- the pictures ----

  function draw() {
    sides.forEach((side) => view.dressPicture(side.draw(view.now.orientation, view.now.levels), false));
    paintDepth();
    repaint();
    sides.forEach((side, index) => side.home(stepOf(index)));
  }

  function changed(what) {
    reporter.now("view", { ...view.now });
    if (!pair) return;
    if (what === "orientation") draw();
    sides.forEach((side) => view.dressPicture(side.tree.svg(), false));
    repaint();
  }

  function deepen(by) {
    const deepest = Math.max(...stories.map((story) => story.deepest));
    const next = Math.min(Math.max(Math.min(view.now.levels ?? deepest, deepest) + by, 0), deepest);
    view.change("levels", next >= deepest ? null : next);
    sides.forEach((side) => side.tree.limitTo(view.now.levels));
    paintDepth();
    repaint();
  }

  function paintDepth() {
    const { levels } = view.now;
    write(part(".depth-shown"), levels === null ? WORDS.allLevels : WORDS.levels(levels));
    part("[data-depth='1']").disabled = levels === null;
    part("[data-depth='-1']").disabled = levels === 0;
  }

  // ---- wiring ----

  let width = root.clientWidth;
  const sized = new ResizeObserver(() => (width = root.clientWidth));
  sized.observe(root);

  for (const move of Object.keys(moves)) button(move).onclick = moves[move];
  button("position").oninput = (event) => { pause(); go(Number(event.target.value)); };
  part(".first-difference").onclick = () => { pause(); go(pair.differences[0]); };
  for (const zoom of root.querySelectorAll("[data-zoom]")) {
    zoom.onclick = () => sides.forEach((side) => side.camera.zoom(1.25 ** Number(zoom.dataset.zoom)));
  }
  for (const depth of root.querySelectorAll("[data-depth]")) depth.onclick = () => deepen(Number(depth.dataset.depth));
  part("[data-fit]").onclick = () => sides.forEach((side) => side.camera.fit());
  part(".as-text").ontoggle = () => pair && repaint(false);
  root.onkeydown = (event) => {
    if (event.key === "Escape" && state.selected.some((node) => node !== null)) { choose([null, null]); repaint(false); }
  };
  const deaf = listenToKeys(root, (move) => moves[move]());
  const heardSaid = (event) => listen(event.detail);
  window.addEventListener("espalier-said", heardSaid);

  function unmount() {
    coming = "";
    pause();
    reporter.stop();
    sized.disconnect();
    sides.forEach((side) => side.stop());
    deaf();
    window.removeEventListener("espalier-said", heardSaid);
    window.espalierSaid?.delete(name);
  }

  return { reporter, receive, unmount };
}
