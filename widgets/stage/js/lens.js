// Where a split is so wide that its parent and children can only be seen together too small to be read,
// a lens shows the same boxes once more, side by side. It repeats what is on the surface, so only the eye needs it.

const READ_AT = 0.55; // below this scale a node's test is smaller than 9 pixels
const [LENS_GAP, LENS_DROP] = [22, 62]; // between neighbours, and from the parent to its children
const LENS_LEAST = 0.5; // children that would have to be smaller are counted, not drawn
const LENS_GAIN = 1.3; // a lens that magnifies less is not worth its place
const LENS_REST = 80; // the width of the words that count the others

/** A lens in `place`, over the nodes of `tree`. */
function makeLens(place, tree) {
  const svg = drawn("svg", { "aria-hidden": "true" });
  const frame = element("div", "lens");
  frame.hidden = true;
  frame.append(svg);
  place.append(frame);

  /** Show a node over its children where they are too small at `scale`; returns the height taken. */
  function show(node, children, scale, width) {
    frame.hidden = true;
    if (scale >= READ_AT || !children.length) return 0;
    const family = children.map(copyOf);
    const fits = countThatFit(family, (width - 2 * MARGIN) / LENS_LEAST - LENS_REST);
    const drawing = arrange(copyOf(node), family.slice(0, fits), family.length - fits, width);
    if (drawing.zoom < LENS_GAIN * scale) return 0;
    frame.hidden = false;
    return draw(drawing);
  }

  /** Where the boxes go: the children side by side, the parent over their middle. */
  function arrange(parent, family, left, width) {
    const row = family.reduce((sum, one) => sum + one.slot + LENS_GAP, left ? LENS_REST : -LENS_GAP);
    const total = Math.max(row, parent.slot);
    const below = parent.height + LENS_DROP + family[0].height / 2;
    parent.at = { x: total / 2, y: parent.height / 2 };
    let x = (total - row) / 2;
    for (const one of family) {
      one.at = { x: x + one.slot / 2, y: below };
      x += one.slot + LENS_GAP;
    }
    const rest = left ? { x: x + LENS_REST / 2 - LENS_GAP, y: below, words: WORDS.moreBranches(left) } : null;
    const height = below + family[0].height / 2;
    return { parent, family, rest, total, height, zoom: Math.min(READABLE, (width - 2 * MARGIN) / total) };
  }

  function countThatFit(family, width) {
    let used = 0;
    const past = family.findIndex((one) => (used += one.slot + LENS_GAP) > width);
    return past < 0 ? family.length : Math.max(past, 1);
  }

  function draw({ parent, family, rest, total, height, zoom }) {
    svg.setAttribute("class", tree.svg().getAttribute("class").replace("LR", "TB"));
    svg.setAttribute("viewBox", `-2 -2 ${total + 4} ${height + 4}`);
    svg.setAttribute("width", (total + 4) * zoom);
    svg.setAttribute("height", (height + 4) * zoom);
    const lines = family.map((one) => lineTo(one, { x: parent.at.x, y: parent.height }, { x: one.at.x, y: one.at.y - one.height / 2 }));
    for (const { group, at } of [parent, ...family]) group.setAttribute("transform", `translate(${at.x},${at.y})`);
    parent.group.classList.add("lens-current");
    svg.replaceChildren(...lines, parent.group, ...family.map((one) => one.group));
    if (rest) svg.append(drawn("text", { class: "lens-more", x: rest.x, y: rest.y }));
    if (rest) svg.lastChild.textContent = rest.words;
    return height * zoom + 3 * MARGIN;
  }

  function lineTo(one, from, to) {
    const middle = from.y + 14;
    const line = drawn("g", { class: "edge" });
    const path = drawn("path", { class: "edge-line", "stroke-width": one.stroke, d: `M${from.x} ${from.y}C${from.x} ${middle} ${to.x} ${middle} ${to.x} ${to.y - 26}L${to.x} ${to.y}` });
    const label = drawn("text", { class: "edge-label", x: to.x, y: to.y - 9 });
    label.textContent = one.label;
    line.append(path, label);
    return line;
  }

  /** A node's group once more, without what makes it one of the tree. */
  function copyOf(node) {
    const { group, edge } = tree.parts(node);
    const copy = group.cloneNode(true);
    for (const name of ["id", "data-node", "data-state", "tabindex", "role", "aria-label", "aria-current"]) copy.removeAttribute(name);
    copy.classList.remove("lit", "stands", "closed");
    for (const extra of copy.querySelectorAll(".ring, .fold-count, .node-cut")) extra.remove();
    const label = edge?.querySelector(".edge-label").textContent ?? "";
    const [width, height] = [Number(group.dataset.w), Number(group.dataset.h)];
    const stroke = edge?.querySelector(".edge-line").getAttribute("stroke-width") ?? 1.5;
    return { group: copy, label, height, slot: Math.max(width, 8 * label.length + 8), stroke };
  }

  return { show };
}
