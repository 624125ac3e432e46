// The number line: cuts are moved by pointer or keys, and everything follows in the same frame.

const LINES = new WeakMap();

export default function ({ parentElement, data }) {
  const known = LINES.get(parentElement);
  if (known?.key === data.key) return () => known.stop();
  known?.stop();
  const made = makeLine(parentElement, JSON.parse(data.line));
  LINES.set(parentElement, { key: data.key, ...made });
  return () => made.stop();
}

function makeLine(root, line) {
  const part = (name) => root.querySelector(name);
  const [svg, table, sentence] = [part(".picture"), part("table"), part(".sentence")];
  line.prefix = prefixed(line.sums);
  const whole = partOf(line, 0, line.thresholds.length + 1);
  Object.assign(line, { prefixRows: whole.rows, whole_impurity: whole.impurity });
  const last = line.thresholds.length - 1;
  let cuts = last >= 0 ? [nearest((line.low + line.high) / 2)] : [];
  let [width, to] = [0, null];
  svg.setAttribute("role", "group");
  svg.setAttribute("aria-label", LINE_WORDS.picture(line));

  function nearest(value) {
    let best = 0;
    line.thresholds.forEach((threshold, index) => {
      if (Math.abs(threshold - value) < Math.abs(line.thresholds[best] - value)) best = index;
    });
    return best;
  }

  /** Draw anew; `held` is the cut whose handle keeps the focus. */
  function draw(held = null) {
    if (!width) return;
    const parts = partsOf(line, cuts);
    const [group, above] = [drawnPart("g"), drawnPart("g")];
    drawParts(line, to, parts, group, above);
    drawAxis(line, to, group);
    drawRows(line, to, group);
    const handles = cuts.map((cut) => handleOf(cut));
    svg.replaceChildren(group, above, ...handles);
    if (held !== null) handles[cuts.indexOf(held)]?.focus({ preventScroll: true });
    showTable(line, parts, table);
    sentence.textContent = sentenceOf(line, cuts, parts);
    const next = bestCut(line, cuts);
    part("[data-act=best]").disabled = !next;
    part("[data-act=add]").disabled = cuts.length > last;
    part("[data-act=remove]").disabled = part("[data-act=clear]").disabled = !cuts.length;
  }

  function handleOf(cut) {
    const at = to.x(line.thresholds[cut]);
    const handle = drawnPart("g", { class: "handle", role: "slider", tabindex: 0, transform: `translate(${at.toFixed(1)},0)` });
    handle.setAttribute("aria-label", LINE_WORDS.cut(line.feature, line.labels[cut]));
    handle.setAttribute("aria-valuemin", line.thresholds[0]);
    handle.setAttribute("aria-valuemax", line.thresholds[last]);
    handle.setAttribute("aria-valuenow", line.thresholds[cut]);
    handle.dataset.cut = cut;
    const anchor = at > to.right - 60 ? "end" : at < to.left + 60 ? "start" : "middle";
    handle.append(
      drawnPart("rect", { class: "reach", x: -12, width: 24, y: 0, height: HEIGHT - BOTTOM + 6 }),
      drawnPart("line", { class: "cut", x1: 0, x2: 0, y1: 14, y2: HEIGHT - BOTTOM + 6 }),
      drawnPart("circle", { class: "grip", cx: 0, cy: 14, r: 7 }),
      drawnPart("text", { x: anchor === "end" ? -11 : 11, y: 12, "text-anchor": anchor === "end" ? "end" : "start" }, LINE_WORDS.below(line.labels[cut])),
    );
    handle.onpointerdown = (event) => grab(event, cut);
    handle.onkeydown = (event) => press(event, cut);
    handle.ondblclick = () => remove(cut);
    return handle;
  }

  /** Follow the pointer until it is let go. */
  function grab(event, cut) {
    event.preventDefault();
    event.stopPropagation();
    let now = cut;
    const follow = (move) => {
      const wanted = nearest(to.value(move.clientX - svg.getBoundingClientRect().left));
      if (wanted === now || cuts.includes(wanted)) return;
      cuts = cuts.map((one) => (one === now ? wanted : one)).sort((a, b) => a - b);
      now = wanted;
      draw(now);
    };
    const drop = () => {
      window.removeEventListener("pointermove", follow);
      window.removeEventListener("pointerup", drop);
      window.removeEventListener("pointercancel", drop);
    };
    window.addEventListener("pointermove", follow);
    window.addEventListener("pointerup", drop);
    window.addEventListener("pointercancel", drop);
    svg.querySelector(`[data-cut="${cut}"]`)?.focus({ preventScroll: true });
  }

  function press(event, cut) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const by = { ArrowLeft: -1, ArrowDown: -1, ArrowRight: 1, ArrowUp: 1 }[event.key];
    if (event.key === "Delete" || event.key === "Backspace") remove(cut);
    else if (by) {
      let wanted = cut + by;
      while (cuts.includes(wanted)) wanted += by;
      if (wanted >= 0 && wanted <= last) move(cut, wanted);
    } else if (event.key === "Home" || event.key === "End") {
      const wanted = event.key === "Home" ? 0 : last;
      if (!cuts.includes(wanted)) move(cut, wanted);
    } else return;
    event.preventDefault();
    event.stopPropagation();
  }

  function move(cut, wanted) {
    cuts = cuts.map((one) => (one === cut ? wanted : one)).sort((a, b) => a - b);
    draw(wanted);
  }

  function add(cut) {
    if (cut === undefined || cut < 0 || cuts.includes(cut)) return;
    cuts = [...cuts, cut].sort((a, b) => a - b);
    draw(cut);
  }

  function remove(cut) {
    cuts = cuts.filter((one) => one !== cut);
    draw(cuts[0] ?? null);
  }

  /** The free place nearest to the middle of the widest part. */
  function widest() {
    const parts = partsOf(line, cuts).filter((one) => one.end - one.start > 1);
    const wide = parts.reduce((a, b) => (a && a.end - a.start >= b.end - b.start ? a : b), null);
    return wide ? Math.floor((wide.start + wide.end) / 2) - 1 : -1;
  }

  const acts = {
    best: () => add(bestCut(line, cuts)?.cut),
    add: () => add(widest()),
    remove: () => {
      cuts = cuts.slice(0, -1);
      draw();
    },
    clear: () => {
      cuts = [];
      draw();
    },
  };
  for (const button of root.querySelectorAll("[data-act]")) button.onclick = acts[button.dataset.act];
  svg.onpointerdown = (event) => {
    if (event.button || event.pointerType === "touch" || last < 0) return;
    add(nearest(to.value(event.clientX - svg.getBoundingClientRect().left)));
  };
  const seen = new ResizeObserver(([entry]) => {
    if (Math.abs(entry.contentRect.width - width) < 1) return;
    width = entry.contentRect.width;
    to = scalesOf(line, width);
    draw();
  });
  seen.observe(svg);
  return { stop: () => seen.disconnect() };
}
