// Every word of the number line, and how its numbers are written (drawing/numbers.py and theme.py have the same rules).

const LINE_WORDS = {
  whole: (impurity, value) => `All rows in one part: ${impurity} ${value}.`,
  parts: (n, impurity, left, before) => `${n} parts leave a weighted ${impurity} of ${left} instead of ${before}.`,
  next: (test, left) => `The best place for the next cut is ${test}: it would leave ${left}.`,
  noNext: "No further cut lowers it.",
  alone: "Each part holds one value: nothing is left to explain here, and nothing is learned of other rows.",
  missing: (n) => (n === 1 ? "1 row without a value is left out." : `${n} rows without a value are left out.`),
  heads: (line) =>
    line.kind === "number"
      ? ["part", line.feature, "rows", "mean", line.impurity, `share · ${line.impurity}`]
      : ["part", line.feature, "rows", "counts", line.impurity, `share · ${line.impurity}`],
  sum: "weighted sum",
  below: (label) => `< ${label}`,
  from: (label) => `≥ ${label}`,
  between: (low, high) => `${low} to ${high}`,
  all: "all",
  cut: (feature, label) => `Cut: ${feature} < ${label}`,
  picture: (line) => `The rows along ${line.feature}, with the cuts between them`,
};

const THIRDS = [[1 / 3, "⅓"], [2 / 3, "⅔"], [1 / 6, "⅙"], [5 / 6, "⅚"]];

/** With separators and so many decimals; a real minus, and no negative zero. */
function rounded(value, decimals) {
  const text = value.toLocaleString("en-US", { minimumFractionDigits: decimals, maximumFractionDigits: decimals });
  return /[1-9]/.test(text) ? text.replace("-", "−") : text.replace("-", "");
}

/** A sum over few whole numbers as it is: two decimals at most, or thirds and sixths; null where neither says it. */
function exactly(value, slack) {
  const near = Math.max(1e-11 * Math.max(1, Math.abs(value)), slack);
  for (const decimals of [0, 1, 2]) {
    const scale = 10 ** decimals;
    if (Math.abs(value - Math.round(value * scale) / scale) <= near) return rounded(value, decimals);
  }
  const whole = Math.floor(Math.abs(value));
  const third = THIRDS.find(([part]) => Math.abs(Math.abs(value) - whole - part) <= near);
  return third ? `${value < 0 ? "−" : ""}${whole ? rounded(whole, 0) : ""}${third[1]}` : null;
}

function meanText(line, value) {
  const text = (line.whole && exactly(value, 1e-9)) || rounded(value, Math.min(line.decimals, 12));
  return text.includes(".") ? text.replace(/\.?0+$/, "") : text;
}

/** An impurity: bits and shares with three decimals, squares as the target's spread calls for. */
function impurityText(line, value) {
  if (line.kind !== "number") return rounded(value, 3);
  const slack = 1e-11 * line.variance;
  if (Math.abs(value) <= slack) return "0";
  return (line.whole && exactly(value, slack)) || rounded(value, Math.min(line.square_decimals, 12));
}

function weightText(value) {
  return String(Math.round(value * 1000) / 1000);
}
