// The storyboard (docs/trace.md), made quick to ask: which node, in which state, at which step.

const STATES = ["hidden", "open", "current", "split", "leaf"];
const [HIDDEN, OPEN, CURRENT, SPLIT, LEAF] = STATES.keys();

/** Add to a storyboard what stepping asks for again and again. */
function readStory(packed) {
  const board = unpack(packed);
  const { nodes, steps } = board;
  return {
    ...board,
    last: steps.length - 1,
    size: nodes.parent.length,
    deepest: nodes.depth.reduce((a, b) => Math.max(a, b), 0),
    questions: steps.flatMap(([event, node], step) =>
      event === "scored" && nodes.split[node] && board.why[node] ? [{ step, node }] : []),
    stops: {
      level: board.granularity.level,
      node: board.granularity.node,
    },
  };
}

function nodeOfStep(story, step) {
  return story.steps[step][1];
}

function isDecided(story, node, step) {
  return step >= story.nodes.decided_at[node];
}

function isScored(story, node, step) {
  const at = story.nodes.scored_at[node];
  return at >= 0 && step >= at;
}

/** The state of a node at a step; the step's node is `current` whatever the event. */
function stateOf(story, node, step, currentNode) {
  const { nodes } = story;
  if (step < nodes.shown_at[node] || isGone(story, node, step)) return HIDDEN;
  if (node === currentNode) return CURRENT;
  if (step < nodes.decided_at[node]) return OPEN;
  return nodes.split[node] && !isCut(story, node, step) ? SPLIT : LEAF;
}

/** Whether pruning has made a split a leaf. */
function isCut(story, node, step) {
  const at = story.nodes.cut_at?.[node];
  return at >= 0 && step >= at;
}

/** Whether pruning has taken a node away with a split above it. */
function isGone(story, node, step) {
  const at = story.nodes.gone_at?.[node];
  return at >= 0 && step >= at;
}

/** The drawn node that stands for `node`: itself, or an ancestor where the picture is cut. */
function drawnAs(story, node) {
  return story.nodes.drawn_as ? story.nodes.drawn_as[node] : node;
}

/** From the root to the node, both included. */
function pathTo(story, node) {
  const path = [];
  for (let at = node; at >= 0; at = story.nodes.parent[at]) path.push(at);
  return path.reverse();
}

/** How many nodes lie below a node in the finished tree. */
function nodesBelow(story, node) {
  let end = node + 1;
  const { depth } = story.nodes;
  while (end < story.size && depth[end] > depth[node]) end += 1;
  return end - node - 1;
}

/** The last condition on the way to a node: its title without its parent's. */
function lastCondition(story, node) {
  const { parent, title } = story.nodes;
  const before = parent[node] > 0 ? `${title[parent[node]]} and ` : "";
  return title[node].startsWith(before) ? title[node].slice(before.length) : title[node];
}

/** Numbers of the features that may still be tested at a node. */
function featuresLeft(story, node) {
  const used = new Set(pathTo(story, node).slice(0, -1).map((ancestor) => story.nodes.uses[ancestor]));
  return story.features.map((_, index) => index).filter((index) => !used.has(index));
}

/** The next place to stop after `step` (`direction` 1) or before it (−1), of a sorted list of steps. */
function neighbour(stops, step, direction, last) {
  if (!stops) return Math.min(Math.max(step + direction, 0), last);
  if (direction > 0) return stops.find((stop) => stop > step) ?? last;
  return stops.findLast((stop) => stop < step) ?? 0;
}

/** The sub-steps inside a scored step: one a feature with levels, one a threshold and one more for its best. */
function subSteps(story, step) {
  const entries = story.granularity.fine?.[step];
  if (!entries) return [];
  return entries.flatMap((entry, index) => {
    if (entry.kind !== "thresholds") return [{ index, entry, threshold: -1 }];
    const scan = entry.gains.map((_, threshold) => ({ index, entry, threshold }));
    return [...scan, { index, entry, threshold: -1 }];
  });
}

/** The place of the best threshold among the first `upTo + 1` of a scan. */
function bestSoFar(entry, upTo) {
  return entry.records.findLast((place) => place <= upTo) ?? 0;
}
