// One member as a small tree. Everything is built from numbers and set as text or attributes.

const SVG = "http://www.w3.org/2000/svg";
const WIDE = 76;
const HIGH = 50;
const PAD = 8;

function element(tag, name = "", text = "") {
  const made = document.createElement(tag);
  if (name) made.className = name;
  if (text) made.textContent = text;
  return made;
}

function shape(tag, attributes) {
  const made = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  return made;
}

/** The small tree: lines, then leaves as signs, and wedges where it goes on. */
function smallTree([xs, depths, parents, looks], signs) {
  const picture = shape("svg", { viewBox: `0 0 ${WIDE} ${HIGH}`, width: WIDE, height: HIGH, "aria-hidden": "true" });
  const deepest = Math.max(...depths);
  const ends = looks.filter((look) => look !== -1).length;
  const step = deepest ? Math.min((HIGH - 2 * PAD) / deepest, 26) : 0;
  const top = (HIGH - step * deepest) / 2;
  const room = Math.min(WIDE - 2 * PAD, ends * 30);
  const at = (i) => [WIDE / 2 + (xs[i] / 1000 - 0.5) * room, top + step * depths[i]];
  const size = Math.min(Math.max((0.85 * room) / ends, 3.2), 13) / 13;
  const lines = xs.map((_, i) => {
    if (parents[i] < 0) return "";
    const [x, y] = at(i);
    const [px, py] = at(parents[i]);
    const middle = (py + y) / 2;
    return `M${px.toFixed(1)} ${py.toFixed(1)}C${px.toFixed(1)} ${middle.toFixed(1)} ${x.toFixed(1)} ${middle.toFixed(1)} ${x.toFixed(1)} ${y.toFixed(1)}`;
  });
  picture.append(shape("path", { class: "lines", d: lines.join(""), "stroke-width": ends > 12 ? 1 : 1.6 }));
  looks.forEach((look, i) => {
    const [x, y] = at(i);
    if (look === -1) return;
    if (look < -1) {
      const half = Math.max(2.2, 5 * size);
      picture.append(shape("path", { class: `look-${-2 - look}`, d: `M${x} ${y - 3}l${half} 9h${-2 * half}Z` }));
      return;
    }
    const scale = deepest ? size : 1.4;
    picture.append(shape("path", { class: `look-${look}`, d: signs[look][0], transform: `translate(${x.toFixed(1)} ${y.toFixed(1)}) scale(${scale.toFixed(2)})` }));
  });
  if (deepest) {
    const [x, y] = at(0);
    picture.append(shape("circle", { class: "root", cx: x.toFixed(1), cy: y.toFixed(1), r: 2.6 }));
  }
  return picture;
}
