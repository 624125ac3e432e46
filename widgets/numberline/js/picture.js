// The picture: rows, parts and cuts over one axis.

const [HEIGHT, TOP, BOTTOM, LEFT, RIGHT] = [260, 26, 46, 58, 14];

function drawnPart(tag, attributes = {}, text = "") {
  const made = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  if (text) made.textContent = text;
  return made;
}

/** From values to pixels and back, for a picture of this width. */
function scalesOf(line, width) {
  const left = line.kind === "number" && !line.alone ? LEFT : line.kind === "classes" ? 86 : 16;
  const span = width - left - RIGHT;
  const x = (value) => left + ((value / 2 - line.low / 2) / (line.high / 2 - line.low / 2)) * span;
  const value = (pixel) => line.low + ((pixel - left) / span) * (line.high - line.low);
  const room = HEIGHT - TOP - BOTTOM;
  if (line.kind === "classes") {
    const lane = room / Math.max(line.classes.length, 1);
    return { left, right: width - RIGHT, x, value, y: (code) => TOP + lane * (code + 0.5), radius: Math.min(5, lane / 2.4) };
  }
  const [low, high] = line.alone ? [0, 1] : line.range;
  const reach = high - low || 1;
  return { left, right: width - RIGHT, x, value, y: (v) => HEIGHT - BOTTOM - 6 - ((v - low) / reach) * (room - 26), radius: 5 };
}

/** The value at a step of the scale, as drawing/theme.py takes it. */
function colourOf(line, mean) {
  const [low, high] = line.range;
  const share = high > low ? Math.min(Math.max((mean - low) / (high - low), 0), 1) : 0.5;
  return line.scale[Math.min(Math.floor(share * line.scale.length), line.scale.length - 1)];
}

function drawAxis(line, to, group) {
  const floor = HEIGHT - BOTTOM + 6;
  group.append(drawnPart("line", { class: "axis", x1: to.left, x2: to.right, y1: floor, y2: floor }));
  for (const tick of niceTicks(line.low, line.high, (to.right - to.left) / 90)) {
    group.append(drawnPart("line", { class: "axis", x1: to.x(tick), x2: to.x(tick), y1: floor, y2: floor + 4 }));
    group.append(drawnPart("text", { x: to.x(tick), y: floor + 18, "text-anchor": "middle" }, tickText(tick)));
  }
  group.append(drawnPart("text", { x: (to.left + to.right) / 2, y: HEIGHT - 5, "text-anchor": "middle" }, line.feature));
  if (line.kind === "classes") {
    line.classes.forEach(({ name }, code) =>
      group.append(drawnPart("text", { x: to.left - 8, y: to.y(code) + 4, "text-anchor": "end" }, name.slice(0, 11))),
    );
  } else if (!line.alone) {
    for (const tick of niceTicks(...line.range, 3)) {
      group.append(drawnPart("text", { x: to.left - 8, y: to.y(tick) + 4, "text-anchor": "end" }, tickText(tick)));
    }
  }
}

function tickText(value) {
  return String(Number(value.toPrecision(6))).replace("-", "−");
}

/** Round numbers between two ends. */
function niceTicks(low, high, most) {
  const rough = (high - low) / Math.max(most, 1);
  if (!(rough > 0) || !Number.isFinite(rough)) return [];
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((n) => n * power).find((n) => n >= rough);
  const found = [];
  for (let tick = Math.ceil(low / step) * step; tick <= high + step * 1e-9; tick += step) found.push(Math.abs(tick) < step / 1e6 ? 0 : tick);
  return found;
}

function drawRows(line, to, group) {
  const { x, y, look } = line.rows;
  x.forEach((value, index) => {
    const fill = line.kind === "number" ? line.scale[look[index]] : line.classes[look[index]].colour;
    group.append(drawnPart("circle", { class: "row", cx: to.x(value).toFixed(1), cy: to.y(y[index]).toFixed(1), r: to.radius, fill }));
  });
}

/** Each part: the band of one deviation either side of its mean, or the colour of its most frequent class.
 *  Its mean in words goes into `above`, over the rows. */
function drawParts(line, to, parts, group, above) {
  for (const part of parts) {
    const start = part.start ? to.x(line.thresholds[part.start - 1]) : to.left;
    const end = part.end <= line.thresholds.length ? to.x(line.thresholds[part.end - 1]) : to.right;
    const box = { class: "band", x: start, width: Math.max(end - start, 0) };
    if (line.kind === "classes") {
      const most = part.sums.indexOf(Math.max(...part.sums));
      group.append(drawnPart("rect", { ...box, y: TOP, height: HEIGHT - TOP - BOTTOM, fill: line.classes[most].colour }));
    } else if (line.alone) {
      group.append(drawnPart("rect", { ...box, y: TOP, height: HEIGHT - TOP - BOTTOM, fill: colourOf(line, part.mean) }));
      const at = to.x(part.mean);
      group.append(drawnPart("line", { class: "mean", x1: at, x2: at, y1: HEIGHT - BOTTOM - 26, y2: HEIGHT - BOTTOM + 6 }));
      label(above, at, HEIGHT - BOTTOM - 30, meanText(line, part.mean), "middle", end - start);
    } else {
      const deviation = Math.sqrt(part.impurity);
      const [top, floor] = [to.y(part.mean + deviation), to.y(part.mean - deviation)];
      group.append(drawnPart("rect", { ...box, y: top, height: Math.max(floor - top, 1), fill: colourOf(line, part.mean) }));
      group.append(drawnPart("line", { class: "mean", x1: start, x2: end, y1: to.y(part.mean), y2: to.y(part.mean) }));
      label(above, (start + end) / 2, to.y(part.mean) - 7, meanText(line, part.mean), "middle", end - start);
    }
  }
}

function label(group, x, y, text, anchor, room) {
  if (text.length * 8 < room) group.append(drawnPart("text", { class: "value", x, y, "text-anchor": anchor }, text));
}
