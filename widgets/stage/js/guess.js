// "Guess first": at every split the student names a feature before the gains are shown.
// Until then nothing on the stage gives winner, gains or purity away, and stepping on is held.

/** The answers given so far: node -> {feature, right}; both null where the student was shown.
 *  `given` are earlier ones, [[node, feature], ...]. */
function makeGuesses(story, given = []) {
  const answers = new Map();
  for (const [node, feature] of given) {
    if (story.questions.some((question) => question.node === node)) answers.set(node, grade(node, feature));
  }

  function grade(node, feature) {
    const { bars } = story.why[node];
    const bar = bars.find((one) => one.feature === feature);
    return { feature: bar?.feature ?? null, right: bar ? bar === bestBar(story.why[node]) || Boolean(bar.tied) : null };
  }

  return {
    answers,
    answered: (node) => answers.has(node),
    /** The step beyond which stepping is held, the last step where nothing is open. */
    limit: () => story.questions.find(({ node }) => !answers.has(node))?.step ?? story.last,
    /** The question that is open at a step: its node, or −1. */
    openAt(step) {
      const [event, node] = story.steps[step];
      return event === "scored" && story.nodes.split[node] && story.why[node] && !answers.has(node) ? node : -1;
    },
    /** The switch was turned on in the middle: what has been seen is not asked. */
    passOver(step) {
      for (const question of story.questions) {
        if (question.step < step && !answers.has(question.node)) answers.set(question.node, { feature: null, right: null });
      }
    },
    answer: (node, feature) => answers.set(node, grade(node, feature)),
    report: () => [...answers].map(([node, { feature, right }]) => [node, feature, right]),
  };
}

/** The bar that an attentive student names: the first of the ranking, whoever chose the split. */
function bestBar(entry) {
  return entry.bars.find((bar) => !bar.rejected) ?? entry.bars[0];
}

/** Ask: the node's features as buttons in column order. */
function askFor(panel, story, node, answer) {
  const order = new Map(story.features.map((feature, index) => [feature, index]));
  const features = story.why[node].bars.map((bar) => bar.feature).sort((a, b) => order.get(a) - order.get(b));
  const buttons = features.map((feature) => {
    const made = element("button", "choice", feature);
    made.type = "button";
    made.title = feature;
    made.dataset.guess = feature;
    made.onclick = () => answer(feature);
    return made;
  });
  const skip = element("button", "link show-me", WORDS.showMe);
  skip.type = "button";
  skip.onclick = () => answer(null);
  const question = element("p", "question", WORDS.question);
  question.append(skip);
  panel.replaceChildren(question, ...buttons);
  panel.dataset.asks = node;
  panel.dataset.verdict = "none";
  panel.hidden = false;
}

/** Say whether the answer was right, with the numbers, and keep the score. */
function judge(panel, story, node, guesses) {
  delete panel.dataset.asks;
  const answer = guesses.answers.get(node);
  panel.hidden = !answer;
  if (!answer) return;
  const entry = story.why[node];
  const best = bestBar(entry);
  const given = entry.bars.find((bar) => bar.feature === answer.feature);
  const words = given ? [answer.right ? WORDS.right : WORDS.wrong, factOf(given)] : [factOf(best)];
  const ties = entry.bars.filter((bar) => bar.tied && bar !== (given ?? best));
  if (ties.length && answer.right !== false) words.push(WORDS.tiedWith(ties.map((bar) => bar.feature)));
  const tries = [...guesses.answers.values()].filter((one) => one.feature !== null);
  const score = element("span", "score", tries.length ? WORDS.score(tries.filter((one) => one.right).length, tries.length) : "");
  panel.replaceChildren(element("p", "", words.join(" ")), score);
  panel.dataset.verdict = answer.right === null ? "none" : answer.right ? "right" : "wrong";
}

function factOf(bar) {
  return bar.note ?? `${bar.label ?? bar.feature}: ${bar.text}.`;
}

/** The sentence of a step while its node's purity must stay hidden; null where the real one may be said. */
function guessSentence(story, step, guesses) {
  const [event, node] = story.steps[step];
  const { title, rows, test } = story.nodes;
  if (event === "started" || guesses.openAt(step) >= 0) return WORDS.questionStep(title[node], rows[node]);
  if (event === "split") return WORDS.splitStep(title[node], rows[node], test[node]);
  return null;
}
