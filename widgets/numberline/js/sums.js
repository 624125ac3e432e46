// Sums of parts, and the impurities that engine/criteria.py takes of them.

/** Sums of the places before each place, a list a term. */
function prefixed(sums) {
  return sums.map((term) => {
    const found = [0];
    for (const value of term) found.push(found[found.length - 1] + value);
    return found;
  });
}

/** The part of the places from `start` up to `end`: its sums, rows, mean and impurity. */
function partOf(line, start, end) {
  const sums = line.prefix.map((term) => term[end] - term[start]);
  const rows = line.kind === "number" ? sums[0] : sums.reduce((a, b) => a + b, 0);
  const mean = line.kind === "number" && rows ? line.centre + sums[1] / rows : null;
  return { start, end, sums, rows, mean, impurity: rows ? IMPURITIES[line.measure](sums, rows) : 0 };
}

const squares = (sums, rows) => Math.max(sums[2] - (sums[1] * sums[1]) / rows, 0);
const shares = (sums, rows) => sums.filter((n) => n > 0).map((n) => n / rows);

const IMPURITIES = {
  variance: (sums, rows) => (rows > 1 ? squares(sums, rows) / (rows - 1) : 0),
  squared_error: (sums, rows) => squares(sums, rows) / rows,
  entropy: (sums, rows) => -shares(sums, rows).reduce((sum, p) => sum + p * Math.log2(p), 0),
  gini: (sums, rows) => 1 - shares(sums, rows).reduce((sum, p) => sum + p * p, 0),
  misclassification: (sums, rows) => 1 - Math.max(...shares(sums, rows)),
};

/** The parts between cuts; a cut is the number of its threshold. */
function partsOf(line, cuts) {
  const ends = [...cuts.map((cut) => cut + 1), line.thresholds.length + 1];
  return ends.map((end, index) => partOf(line, index ? ends[index - 1] : 0, end));
}

/** Each part's impurity by its share of the rows. */
function remainderOf(parts) {
  const rows = parts.reduce((sum, part) => sum + part.rows, 0);
  return rows ? parts.reduce((sum, part) => sum + (part.rows / rows) * part.impurity, 0) : 0;
}

/** The cut that lowers the remainder most beside those that are there, the lowest of equals; null where none lowers it. */
function bestCut(line, cuts) {
  const parts = partsOf(line, cuts);
  const [rows, now] = [line.prefixRows, remainderOf(parts)];
  const nothing = 1e-9 * (line.kind === "number" ? line.whole_impurity : 1);
  let best = null;
  for (const part of parts) {
    for (let cut = part.start; cut < part.end - 1; cut += 1) {
      const [below, above] = [partOf(line, part.start, cut + 1), partOf(line, cut + 1, part.end)];
      const left = now + (below.rows * below.impurity + above.rows * above.impurity - part.rows * part.impurity) / rows;
      if (left < (best ? best.left : now) - nothing) best = { cut, left };
    }
  }
  return best;
}
