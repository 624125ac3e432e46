// A storyboard as it was before widgets/stage/packing.py said its repetitions once.

/** The storyboard whole; one that was not packed comes back as it is. */
function unpack(board) {
  if (!board.packed) return board;
  const { packed, ...whole } = board;
  if (board.svg) whole.svg = unpackPictures(board.svg);
  if (board.nodes?.title) {
    const { title, parent } = board.nodes;
    title.forEach((text, node) => (title[node] = joined(text, title[parent[node]])));
    whole.sentences = board.sentences.map((sentence, step) => joined(sentence, title[board.steps[step][1]]));
    if (board.why) whole.why = unpackWhy(board.why, title);
  }
  const fine = board.granularity?.fine;
  if (fine) whole.granularity = { ...board.granularity, fine: unpackFine(fine) };
  return whole;
}

/** A text with the beginning that was cut off. */
function joined(text, beginning) {
  return text.startsWith("\u0001") ? beginning + text.slice(1) : text;
}

/** Columns as rows; what is null is left out. */
function rowsOf(columns) {
  const names = Object.keys(columns);
  const whole = names.map((name) => {
    const column = columns[name];
    return Array.isArray(column) ? column : column.at.map((place) => column.of[place]);
  });
  return (whole[0] ?? []).map((_, row) => {
    const made = {};
    names.forEach((name, index) => {
      if (whole[index][row] !== null) made[name] = whole[index][row];
    });
    return made;
  });
}

/** Rows in groups of the given sizes, under the given names. */
function grouped(names, counts, rows) {
  let next = 0;
  return Object.fromEntries(names.map((name, index) => [name, rows.slice(next, (next += counts[index]))]));
}

/** Places from the ways between them. */
function placesOf(ways) {
  let at = 0;
  return ways.map((way) => (at += way));
}

function unpackWhy({ nodes, counts, entries, bars }, titles) {
  const whole = rowsOf(bars);
  for (const bar of whole) {
    if ("label" in bar) bar.label = joined(bar.label, bar.feature);
    if ("note" in bar) bar.note = joined(bar.note, bar.label ?? bar.feature);
  }
  const groups = grouped(nodes, counts, whole);
  return Object.fromEntries(rowsOf(entries).map((entry, index) => {
    const node = nodes[index];
    return [node, { ...entry, heading: joined(entry.heading, titles[node]), bars: groups[node] }];
  }));
}

function unpackFine({ steps, counts, pools, entries }) {
  const whole = rowsOf(entries);
  const thresholds = new Map(pools);
  for (const entry of whole) {
    entry.sentence = joined(entry.sentence, entry.feature);
    const pool = thresholds.get(entry.feature);
    if (entry.thresholds && pool) entry.thresholds = placesOf(entry.thresholds).map((place) => pool[place]);
    if (entry.thousandths) entry.gains = entry.thousandths.map((gain) => gain / 1000);
    delete entry.thousandths;
  }
  return grouped(steps, counts, whole);
}

function unpackPictures(svg) {
  const names = Object.keys(svg);
  const words = svg[names[0]].split(/('[^']*')/);
  return Object.fromEntries(names.map((name) => {
    if (typeof svg[name] === "string") return [name, svg[name]];
    const turned = [...words];
    placesOf(svg[name].at).forEach((place, index) => (turned[place] = svg[name].is[index]));
    return [name, turned.join("")];
  }));
}
