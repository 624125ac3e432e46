// Detail: the sub-steps inside a scored step. Each feature is scored in column order, and a numeric
// feature threshold by threshold of its sorted scan; bars and curve are shown as far as they are known.

const [CURVE_WIDTH, CURVE_HEIGHT] = [300, 44];

/** The bars as known after a sub-step: column order, nothing marked yet. */
function partialBars(story, node, subs, at) {
  const entry = story.why[node];
  const greatest = greatestValue(entry);
  const entries = [...new Set(subs.map((sub) => sub.entry))];
  const now = subs[at];
  return entries.map((fine, index) => {
    const known = index < now.index || (index === now.index && now.threshold < 0);
    const scanning = index === now.index && !known;
    const best = scanning ? bestSoFar(fine, now.threshold) : -1;
    const value = known ? valueOf(fine) : scanning ? fine.gains[best] : 0;
    return {
      feature: fine.feature,
      label: fine.feature,
      text: known || scanning ? textOf(fine, known, value, best) : WORDS.waiting,
      share: greatest > 0 ? Math.min(Math.max(value, 0) / greatest, 1) : 0,
      chosen: false,
      tag: scanning ? WORDS.best : "",
      title: fine.feature,
      kind: index === now.index ? "scoring" : known ? "open" : "waiting",
    };
  });
}

function valueOf(fine) {
  return fine.kind === "thresholds" ? Math.max(...fine.gains) : fine.value ?? 0;
}

/** A value in words: that of a number's reductions is written in Python, by threshold. */
function textOf(fine, known, value, place = -1) {
  if (known && fine.text !== undefined) return fine.text;
  return fine.texts?.[place < 0 ? fine.gains.indexOf(value) : place] ?? value.toFixed(3).replace("-", "−");
}

/** The sentence of a sub-step. */
function subSentence(story, sub) {
  const { entry, threshold } = sub;
  if (threshold < 0) return entry.sentence;
  const best = bestSoFar(entry, threshold);
  return fill(story.words.scan, {
    feature: entry.feature,
    threshold: entry.thresholds[threshold],
    gain: textOf(entry, false, entry.gains[threshold], threshold),
    best: entry.thresholds[best],
    best_gain: textOf(entry, false, entry.gains[best], best),
  });
}

/** The gain against the threshold as far as the scan has come; null where the sub-step scans nothing. */
function scanCurve(sub) {
  const { entry, threshold } = sub;
  if (entry.kind !== "thresholds") return null;
  const upTo = threshold < 0 ? entry.gains.length - 1 : threshold;
  const top = Math.max(...entry.gains, 1e-9);
  const x = (place) => 6 + (place * (CURVE_WIDTH - 12)) / Math.max(entry.gains.length - 1, 1);
  const y = (gain) => CURVE_HEIGHT - 6 - (Math.max(gain, 0) / top) * (CURVE_HEIGHT - 14);
  const point = (place) => `${x(place).toFixed(1)},${y(entry.gains[place]).toFixed(1)}`;
  const known = Array.from({ length: upTo + 1 }, (_, place) => point(place));
  const best = bestSoFar(entry, upTo);
  const curve = drawn("svg", { viewBox: `0 0 ${CURVE_WIDTH} ${CURVE_HEIGHT}`, "aria-hidden": "true" });
  curve.append(
    drawn("line", { class: "scan-base", x1: 0, x2: CURVE_WIDTH, y1: CURVE_HEIGHT - 6, y2: CURVE_HEIGHT - 6 }),
    drawn("polyline", { class: "scan-line", points: known.join(" ") }),
    drawn("line", { class: "scan-best", x1: x(best), x2: x(best), y1: 2, y2: CURVE_HEIGHT - 6 }),
    drawn("circle", { class: "scan-now", cx: x(upTo), cy: y(entry.gains[upTo]), r: 4 }),
  );
  return curve;
}
