// The parts as a table, and the sentence above the picture.

function cell(tag, text, colour = "") {
  const made = document.createElement(tag);
  if (colour) {
    const swatch = document.createElement("span");
    swatch.className = "swatch";
    swatch.style.background = colour;
    made.append(swatch);
  }
  made.append(text);
  return made;
}

function lineOf(tag, texts, colour = "") {
  const made = document.createElement("tr");
  made.append(...texts.map((text, index) => cell(tag, text, index ? "" : colour)));
  return made;
}

/** A part's stretch of the axis in words. */
function stretch(line, part) {
  const low = part.start ? line.labels[part.start - 1] : null;
  const high = part.end <= line.thresholds.length ? line.labels[part.end - 1] : null;
  if (low === null) return high === null ? LINE_WORDS.all : LINE_WORDS.below(high);
  return high === null ? LINE_WORDS.from(low) : LINE_WORDS.between(low, high);
}

function countsOf(line, part) {
  const present = part.sums.map((n, code) => [n, line.classes[code].name]).filter(([n]) => n > 0);
  return present.sort((a, b) => b[0] - a[0]).slice(0, 4).map(([n, name]) => `${weightText(n)} ${name}`).join(", ");
}

function showTable(line, parts, table) {
  const rows = parts.reduce((sum, part) => sum + part.rows, 0);
  table.tHead.replaceChildren(lineOf("th", LINE_WORDS.heads(line)));
  table.tBodies[0].replaceChildren(
    ...parts.map((part, index) => {
      const colour = line.kind === "number" ? colourOf(line, part.mean) : line.classes[part.sums.indexOf(Math.max(...part.sums))].colour;
      const held = line.kind === "number" ? meanText(line, part.mean) : countsOf(line, part);
      const share = `${weightText(part.rows)}/${weightText(rows)}`;
      const weighted = `${share} · ${impurityText(line, part.impurity)}`;
      return lineOf("td", [`D${index + 1}`, stretch(line, part), weightText(part.rows), held, impurityText(line, part.impurity), weighted], colour);
    }),
  );
  table.tFoot.replaceChildren(lineOf("td", [LINE_WORDS.sum, "", weightText(rows), "", "", impurityText(line, remainderOf(parts))]));
}

function sentenceOf(line, cuts, parts) {
  const left = remainderOf(parts);
  const before = impurityText(line, line.whole_impurity);
  const words = [
    cuts.length ? LINE_WORDS.parts(parts.length, line.impurity, impurityText(line, left), before) : LINE_WORDS.whole(line.impurity, before),
  ];
  const next = bestCut(line, cuts);
  if (next) words.push(LINE_WORDS.next(`${line.feature} < ${line.labels[next.cut]}`, impurityText(line, next.left)));
  else if (cuts.length && cuts.length === line.thresholds.length) words.push(LINE_WORDS.alone);
  else words.push(LINE_WORDS.noNext);
  if (line.missing) words.push(LINE_WORDS.missing(line.missing));
  return words.join(" ");
}
