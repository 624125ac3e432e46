// The strip: the start, the small trees with "+" between them, and of many only those around the current one.

const AROUND = 24; // small trees on either side of the current one

/** Where the window of a wall of `n` begins and ends, around member `at` (counted from 0). */
function windowOf(n, at) {
  const first = Math.max(0, Math.min(at - AROUND, n - 2 * AROUND - 1));
  return [first, Math.min(n, first + 2 * AROUND + 1)];
}

/** The cards of members `first` to `last`; `act.choose(step, alone)` and `act.tell(words)` are told of the visitor. */
function makeStrip(board, first, last, act) {
  const parts = [];
  const add = (made, said, step, alone) => {
    made.type = "button";
    made.setAttribute("aria-label", said);
    made.onclick = () => act.choose(step, alone);
    made.onpointerenter = () => act.tell(said, step, alone);
    made.onpointerleave = () => act.tell(null);
    made.onfocus = () => made.matches(":focus-visible") && act.tell(said, step, alone);
    made.onblur = () => act.tell(null);
    parts.push(made);
    return made;
  };
  const plus = (step, sign) => {
    const made = add(element("button", "plus"), board.sums[step], step, false);
    made.append(element("span", "joins", sign), element("span", "error", board.errors[step]));
    made.dataset.sum = step;
  };
  const beyond = (n, step) => {
    const said = `${n} more`;
    add(element("button", "beyond", said), `Go to member ${step} of ${board.thumbs.length}`, step, null);
  };

  if (first === 0) {
    const card = add(element("button", "card start"), board.start.said, 0, false);
    card.dataset.sum = 0;
    card.append(element("span", "sign", board.start.sign), element("span", "below", board.start.below), element("span", "name", board.start.name));
    if (board.adds) parts.push(mark());
  } else beyond(first, Math.max(first - AROUND, 1));
  for (let i = first; i < last; i += 1) {
    const thumb = board.thumbs[i];
    const card = add(element("button", "card"), thumb.said, i + 1, true);
    card.dataset.member = i + 1;
    const share = element("span", "share");
    share.style.setProperty("--share", thumb.share);
    card.append(smallTree(thumb.tree, board.looks), share, element("span", "name", thumb.name), element("span", "weight", thumb.weight));
    plus(i + 1, i + 1 === board.thumbs.length ? "=" : board.joined);
  }
  if (last < board.thumbs.length) beyond(board.thumbs.length - last, Math.min(last + AROUND, board.thumbs.length));
  return parts;

  function mark() {
    const made = element("span", "mark", "+");
    made.setAttribute("aria-hidden", "true");
    return made;
  }
}
