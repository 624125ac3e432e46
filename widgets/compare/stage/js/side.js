// One of the two trees: its picture, and the ranked candidates of the node that it is at.

const SHOWN_BARS = 6;
const SMALLEST = 0.6; // the scale at which a node is still worth seeing with the one above it

/** A side in `root`; `on.select(node)` is told which node was clicked, `on.fold()` of folding. */
function makeSide(root, on) {
  const part = (name) => root.querySelector(name);
  const [viewport, tooltip, bars] = [part(".viewport"), part(".tooltip"), part(".bars")];
  const camera = makeCamera(viewport, () => {});
  const tree = makeTree(viewport, tooltip, { select: on.select, fold: on.fold, look: (...args) => camera.follow(...args) });
  let story = null;
  let marks = [];
  let now = 0; // the step that is shown

  function open(next, title, signs) {
    [story, marks] = [next, signs];
    write(part(".side-title"), title);
    part(".side-title").title = title;
  }

  function draw(orientation, levels) {
    const { svg, width, height } = tree.show(story, orientation);
    markNodes(svg, marks);
    tree.limitTo(levels);
    camera.show(svg, width, height);
    return svg;
  }

  /** Show a step: `taken` is the bar that the other side chose at the same node, `waits` whether it stands still. */
  function paint({ step, selected, taken, waits, follows }) {
    now = step;
    tree.paint({ step, selected, hides: () => false });
    root.dataset.waits = waits;
    paintWhy(selected ?? nodeOfStep(story, step), step, taken, waits && selected === null);
    if (follows) look(step);
  }

  /** Keep a node and its children in view, and the node above where there is room: a lone box tells no place. */
  function look(step, smoothly = true) {
    const node = nodeOfStep(story, step);
    const [box, family] = tree.boxes(node, step);
    const parent = story.nodes.parent[tree.family(node, step).node];
    const above = parent < 0 ? family : union(family, tree.boxes(parent, step)[0]);
    camera.follow(box, camera.scaleFor(above) >= SMALLEST ? above : family, smoothly);
  }

  function paintWhy(node, step, taken, waits) {
    const shown = whyOf(story, node, step, { opened: null, away: false, hidden: false });
    write(part(".why-title"), waits ? `${shown.title} · ${PAIR_WORDS.waits}` : shown.title);
    write(part(".why-facts"), shown.facts);
    write(part(".why-path"), shown.path);
    part(".why-path").title = shown.path;
    write(part(".why-words"), shown.words ?? "");
    part(".why-words").hidden = !shown.words;
    showBars(shown.list ?? [], taken);
  }

  const rows = [];
  function row(index) {
    if (rows[index]) return rows[index];
    const made = element("div", "pair-bar");
    const parts = ["mark", "name", "tag", "value"].map((name) => element("span", `bar-${name}`));
    const length = element("span", "bar-length");
    const track = element("span", "bar-track");
    track.append(length);
    made.append(...parts, track);
    return (rows[index] = { made, parts, length });
  }

  /** The best of the ranking, and the other side's choice even where it is not among them. */
  function showBars(list, taken) {
    const first = list.slice(0, SHOWN_BARS);
    const other = taken && list.find((bar) => bar.feature === taken.feature);
    if (other && !first.includes(other)) first[SHOWN_BARS - 1] = other;
    first.forEach((bar, index) => {
      const { made, parts: [mark, name, tag, value], length } = row(index);
      Object.assign(made.dataset, { candidate: bar.feature, chosen: Boolean(bar.chosen), kind: bar.kind, taken: bar === other && !bar.chosen });
      made.title = bar.title;
      write(mark, bar.chosen ? "✓" : "");
      write(name, bar.label);
      write(tag, [bar === other && !bar.chosen ? chosenBeside(bar, taken) : "", bar.tag].filter(Boolean).join(", "));
      write(value, bar.text);
      length.style.transform = `scaleX(${bar.share})`;
    });
    const wanted = first.map((_, index) => rows[index].made);
    if (bars.children.length !== wanted.length) bars.replaceChildren(...wanted);
    bars.hidden = !wanted.length;
  }

  /** The other side's choice; of a feature with thresholds perhaps at another one. */
  const chosenBeside = (bar, taken) =>
    bar.label === (taken.label ?? taken.feature) ? PAIR_WORDS.choice(on.other) : PAIR_WORDS.feature(on.other);

  steerCamera(viewport, camera);
  const sized = new ResizeObserver(() => {
    if (!story || !tree.svg()) return;
    camera.resize(tree.boxes(nodeOfStep(story, now), now)[0]);
    look(now, false);
  });
  sized.observe(viewport);

  return {
    open, draw, paint, tree, camera,
    home(step) {
      camera.home(tree.boxes(nodeOfStep(story, step), step)[0]);
      look(step, false);
    },
    stop: () => sized.disconnect(),
  };
}
