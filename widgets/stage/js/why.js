// "Why this split": the ranked candidates of a node as bars, repainted in the same frame as the tree.

/** The panel; `on.candidate(feature)` is told which bar was clicked. */
function makeWhy(panel, on) {
  const part = (name) => panel.querySelector(name);
  const bars = part(".bars");
  const rows = []; // made once, reused at every step

  function row(index) {
    if (rows[index]) return rows[index];
    const made = element("button", "bar");
    made.type = "button";
    const parts = ["mark", "name", "tag", "value"].map((name) => element("span", `bar-${name}`));
    const track = element("span", "bar-track");
    const length = element("span", "bar-length");
    track.append(length);
    const gain = gainRow();
    made.append(...parts, track, gain.made);
    made.onclick = () => on.candidate(made.dataset.candidate);
    const [mark, name, tag, value] = parts;
    rows[index] = { made, mark, name, tag, value, length, gain };
    return rows[index];
  }

  /** Show these bars: {feature, label, share, text, chosen, tag, title, kind, gain}. */
  function showBars(list, opened) {
    list.forEach((bar, index) => {
      const { made, mark, name, tag, value, length, gain } = row(index);
      made.dataset.candidate = bar.feature;
      made.dataset.chosen = Boolean(bar.chosen);
      made.dataset.kind = bar.kind;
      made.title = bar.title;
      made.ariaLabel = [bar.chosen && WORDS.chosen, bar.title].filter(Boolean).join(": ");
      made.setAttribute("aria-pressed", bar.feature === opened);
      write(mark, bar.chosen ? "✓" : "");
      write(name, bar.label);
      write(tag, bar.tag);
      write(value, bar.text);
      length.style.transform = `scaleX(${bar.share})`;
      gain.show(bar.gain);
    });
    const wanted = list.map((_, index) => rows[index].made);
    if (bars.children.length !== wanted.length || bars.firstChild !== wanted[0]) bars.replaceChildren(...wanted);
  }

  /** Show the panel for one node: {title, facts, path, words, list, opened, more, average, measure, away}. */
  function paint({ title, facts, path, words = "", list = [], opened = null, more = 0, average = "", measure = "", away = false }) {
    write(part(".why-title"), title);
    write(part(".why-facts"), facts);
    write(part(".why-path"), path);
    part(".why-path").title = path;
    write(part(".why-measure"), list.length ? measure : "");
    part(".back").hidden = !away;
    say(part(".why-words"), words);
    showBars(list, opened);
    bars.hidden = !list.length;
    say(part(".more"), [list.length ? average : "", more ? WORDS.more(more) : ""].filter(Boolean).join(" "));
  }

  /** Bring the bar that is being scored into view, where the list scrolls. */
  function reveal() {
    const now = bars.querySelector("[data-kind=scoring]");
    if (!now) return;
    const [top, bottom] = [now.offsetTop - bars.offsetTop, now.offsetTop - bars.offsetTop + now.offsetHeight];
    if (top < bars.scrollTop) bars.scrollTop = top;
    else if (bottom > bars.scrollTop + bars.clientHeight) bars.scrollTop = bottom - bars.clientHeight;
  }

  return { paint, reveal, element: bars };
}

/** Below a bar that is not the gain itself: the gain as a thin bar, with a mark at the average where that counts. */
function gainRow() {
  const made = element("span", "bar-gain");
  const [length, mark] = ["gain-length", "gain-average"].map((name) => element("span", name));
  made.append(length, mark);
  return {
    made,
    show(gain) {
      made.hidden = !gain;
      if (!gain) return;
      length.style.transform = `scaleX(${gain.share})`;
      mark.hidden = gain.average === null;
      mark.style.left = `${100 * (gain.average ?? 0)}%`;
    },
  };
}

/** Put a line of words on the page, or take the line away where there are none. */
function say(target, words) {
  write(target, words);
  target.hidden = !words;
}

/** The greatest value of a node's bars: the full length. A bar that separates nothing may have none. */
function greatestValue(entry) {
  return Math.max(...entry.bars.map((bar) => bar.value ?? 0), 0);
}

/** The bars of a scored node, as the panel shows them. */
function rankedBars(entry) {
  const greatest = greatestValue(entry);
  const gains = Math.max(...entry.bars.map((bar) => bar.gain ?? 0), entry.average ?? 0);
  return entry.bars.map((bar) => ({
    feature: bar.feature,
    label: bar.label ?? bar.feature,
    text: bar.text,
    share: greatest > 0 ? Math.max(bar.value ?? 0, 0) / greatest : 0,
    chosen: bar.chosen,
    tag: [bar.gain_text, bar.by_choice && WORDS.byChoice, bar.tied && WORDS.tied, bar.rejected].filter(Boolean).join(", "),
    title: [bar.label ?? bar.feature, bar.text, bar.note].filter(Boolean).join(" · "),
    kind: bar.rejected ? "rejected" : bar.chosen ? "chosen" : "open",
    gain: bar.gain_text && {
      share: gains > 0 ? Math.max(bar.gain ?? 0, 0) / gains : 0,
      average: gains > 0 && entry.average !== undefined ? entry.average / gains : null,
    },
  }));
}

/** What the panel says of a node at a step where it shows no question and no scan. */
function whyOf(story, node, step, { opened, away, hidden }) {
  if (story.verdicts) return verdictOf(story, node, step, { opened, away });
  const { nodes } = story;
  const entry = story.why[node];
  const decided = isDecided(story, node, step);
  const leaf = decided && !nodes.split[node];
  const facts = hidden ? nodes.rows[node] : WORDS.facts(nodes.rows[node], nodes.impurity[node]);
  const title = leaf ? WORDS.whyLeaf : decided || isScored(story, node, step) ? WORDS.why : WORDS.whyOpen;
  const base = { title, facts, path: nodes.title[node], opened, away };
  if (leaf && !entry) return { ...base, words: nodes.reason[node] };
  if (!isScored(story, node, step)) return { ...base, words: waitingWords(story, node, step) };
  if (!entry) return { ...base, words: WORDS.tooLarge };
  return { ...base, words: leaf ? nodes.reason[node] : "", list: rankedBars(entry), more: entry.more, average: entry.average_text, measure: entry.measure };
}

function waitingWords(story, node, step) {
  if (step === 0 && node === 0) return WORDS.started;
  const at = story.nodes.scored_at[node];
  return at >= 0 ? WORDS.notScored(at) : WORDS.notYet(story.nodes.decided_at[node]);
}

/** What it says of a node of a pruning: both sides of the inequality as bars, once it was decided. */
function verdictOf(story, node, step, { opened, away }) {
  const { nodes } = story;
  const entry = isScored(story, node, step) ? story.why[node] : null;
  const facts = WORDS.facts(nodes.rows[node], nodes.impurity[node]);
  const base = { facts, path: nodes.title[node], opened, away };
  if (!entry) return { ...base, title: story.words.waiting, words: nodes.waiting[node] };
  return { ...base, title: entry.title, words: entry.words, list: rankedBars(entry), more: 0 };
}
