// How the nodes of two trees stand to each other, and the words that only the stage of two trees says.

const PAIR_WORDS = {
  sign: { equal: "=", different: "≠", alone: "≠" },
  mark: {
    equal: "Decided alike in both trees.",
    different: "The other tree decides this node otherwise.",
    alone: "Below a difference: the other tree has no such node.",
  },
  firstDifference: (step) => ["≠ ", "First difference: ", `step ${step}`],
  noDifference: "= No difference",
  choice: (letter) => `${letter}'s choice`,
  feature: (letter) => `${letter}'s feature`,
  waits: "waits",
};

/** Put its sign on every node of a drawn tree; it is seen once the node is decided. */
function markNodes(svg, marks) {
  for (const group of svg.querySelectorAll("[data-node]")) {
    const mark = marks[group.dataset.node];
    group.dataset.mark = mark;
    const [x, y] = [Number(group.dataset.w) / 2, -Number(group.dataset.h) / 2];
    const sign = drawn("g", { class: "mark", transform: `translate(${x},${y})` });
    const text = drawn("text", { "text-anchor": "middle", dy: "0.36em" });
    const words = drawn("title", {});
    text.textContent = PAIR_WORDS.sign[mark];
    words.textContent = PAIR_WORDS.mark[mark];
    sign.append(words, drawn("circle", { r: 11 }), text);
    group.append(sign);
  }
}

/** The differences along the stepper. */
function showTicks(target, differences, last) {
  target.replaceChildren(...differences.slice(0, 200).map((step) => {
    const tick = element("span");
    tick.style.insetInlineStart = `${(100 * step) / Math.max(last, 1)}%`;
    return tick;
  }));
}
