// Every word that the stage says by itself, and the two helpers that put words on the page.
// Words about the data come from the storyboard, made in Python.

const WORDS = {
  step: (k, n) => `Step ${k} of ${n}`,
  part: (place, all) => `${place} of ${all} scored`,
  shares: "Shares",
  spread: "Spread",
  play: "Play",
  pause: "Pause",
  why: "Why this split",
  whyLeaf: "Why a leaf",
  whyOpen: "Not decided yet",
  asks: "Your turn",
  notScored: (k) => `Its candidates are scored at step ${k}.`,
  notYet: (k) => `It is decided at step ${k}.`,
  tooLarge: "The candidates of this node are not kept in the browser.",
  started: "Nothing is scored yet. The next step scores every feature.",
  facts: (rows, impurity) => `${rows} · ${impurity}`,
  more: (n) => (n === 1 ? "1 more feature is not shown." : `${n} more features are not shown.`),
  chosen: "chosen",
  byChoice: "chosen by you",
  tied: "tie",
  best: "best so far",
  waiting: "–",
  question: "Choose a feature to go on.",
  questionStep: (title, rows) => `${title}: ${rows}. Which feature would you test next?`,
  splitStep: (title, rows, test) => `${title}: ${rows}, split on ${test}.`,
  showMe: "Show me",
  right: "Right.",
  wrong: "Not this one.",
  tiedWith: (others) => `It ties with ${others.join(", ")}.`,
  score: (right, asked) => `${right} of ${asked} right`,
  fold: "Fold",
  unfold: "Unfold",
  folded: (n) => `+ ${n}`,
  foldedNodes: (n) => (n === 1 ? "1 node is folded away below." : `${n} nodes are folded away below.`),
  allLevels: "all levels",
  levels: (n) => (n === 0 ? "root only" : n === 1 ? "1 level" : `${n} levels`),
  open: "not decided yet",
  splitOn: (test) => `Split on ${test}.`,
  tree: "The tree. The arrows up and down walk from node to node.",
  nothingLeft: "none",
  moreBranches: (n) => `+ ${n} more`,
  fingers: "Two fingers move the tree.",
};

/** The text with its first letter large, where it has a small and a large form. */
function capital(text) {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** A template of the storyboard ("{feature} at {threshold}") with its blanks filled in. */
function fill(template, values) {
  return template.replace(/\{(\w+)\}/g, (blank, name) => (name in values ? values[name] : blank));
}

/** Make a sentence that does not fit its place smaller, where names that cannot be broken made it longer. */
function refit(target) {
  const sizes = ["short", "long", "longest"];
  let size = sizes.indexOf(target.dataset.length);
  while (size < sizes.length - 1 && target.scrollHeight > target.clientHeight + 2) target.dataset.length = sizes[++size];
}

/** A new element; text goes in as text, never as HTML. */
function element(tag, className = "", text = "") {
  const made = document.createElement(tag);
  if (className) made.className = className;
  if (text) made.textContent = text;
  return made;
}

/** Write text only where it changed: an unchanged live region stays silent. */
function write(target, text) {
  if (target.textContent !== text) target.textContent = text;
}
