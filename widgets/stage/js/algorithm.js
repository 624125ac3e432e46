// The pseudo-code with its current line lit, the open calls, the features left, and the tree as text.

/** The two collapsible parts below the stage. */
function makeAlgorithm(root) {
  const part = (name) => root.querySelector(name);
  const [folds, text] = [part(".algorithm"), part(".as-text")];
  let story = null;
  let shown = null;

  function show(next) {
    story = next;
    part(".code").replaceChildren(...story.lines.map((line) => {
      const item = element("li", "", line.trimStart());
      item.style.setProperty("--indent", (line.length - line.trimStart().length) / 2);
      return item;
    }));
    text.querySelector("ul").replaceChildren();
    for (const name of [".calls", ".left"]) part(name).hidden = Boolean(story.verdicts);
  }

  function paint(state) {
    shown = state;
    const line = story.line_of_step[state.step];
    write(part(".line-now"), (story.lines[line] ?? "").trim());
    if (folds.open) paintCalls(line);
    if (text.open) paintText();
  }

  function paintCalls(line) {
    [...part(".code").children].forEach((item, index) => item.classList.toggle("now", index === line));
    const node = nodeOfStep(story, shown.step);
    part(".calls ol").replaceChildren(...pathTo(story, node).map((call) =>
      element("li", call === node ? "now" : "", `${lastCondition(story, call)} · ${story.nodes.rows[call]}`)));
    const left = featuresLeft(story, node).map((index) => story.features[index]);
    part(".left ul").replaceChildren(...(left.length ? left : [WORDS.nothingLeft]).map((name) => element("li", "", name)));
  }

  /** Built when it is first opened; a step then only changes the lines that changed. */
  function paintText() {
    const list = text.querySelector("ul");
    const { nodes } = story;
    if (!list.children.length) {
      list.replaceChildren(...nodes.depth.map((depth) => {
        const item = element("li");
        item.style.setProperty("--indent", depth);
        return item;
      }));
    }
    [...list.children].forEach((item, node) => {
      item.hidden = shown.step < nodes.shown_at[node] || isGone(story, node, shown.step);
      if (!item.hidden) write(item, textOfNode(node));
    });
  }

  function textOfNode(node) {
    const { nodes } = story;
    if (isCut(story, node, shown.step)) return nodes.cut_outline[node];
    if (isDecided(story, node, shown.step)) return nodes.outline[node];
    return `${lastCondition(story, node)}: ${nodes.rows[node]}, ${WORDS.open}`;
  }

  folds.ontoggle = text.ontoggle = () => shown && paint(shown);
  return { show, paint };
}
