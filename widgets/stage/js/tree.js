// The tree on its surface. Nodes keep their places; a step only changes attributes that CSS reads:
// data-state and data-decided, and the classes guessing, folded, stands, lit, selected.

/** A tree in `viewport`; `on.select(node)` is told of clicks and Enter, `on.fold()` of folding,
 *  `on.look(box)` of a node that the keyboard reached. */
function makeTree(viewport, tooltip, on) {
  const tree = {
    story: null, svg: null, groups: [], edges: [], boxes: [], ids: [], painted: null,
    collapsed: new Set(), limit: Infinity, folded: null, ring: null, standing: -1, now: 0,
  };

  function show(story, orientation) {
    const sameStory = tree.story?.key === story.key;
    const svg = parsePicture(story.svg[orientation] ?? Object.values(story.svg)[0]);
    Object.assign(tree, { story, svg, groups: [], edges: [], boxes: [], ids: [], standing: -1 });
    tree.tab = undefined;
    if (!sameStory) Object.assign(tree, { collapsed: new Set(), reach: undefined });
    tree.painted = new Int8Array(story.size).fill(-1);
    tree.ring = drawn("rect", { class: "ring", rx: 14 });
    for (const group of svg.querySelectorAll("[data-node]")) adopt(group);
    for (const edge of svg.querySelectorAll("[data-edge]")) tree.edges[edge.dataset.edge] = edge;
    const size = sizeOf(svg);
    svg.setAttribute("role", "group");
    svg.setAttribute("aria-label", WORDS.tree);
    viewport.replaceChildren(svg);
    if (!sameStory) tree.limit = Infinity;
    refold();
    return { svg, ...size };
  }

  function adopt(group) {
    const node = Number(group.dataset.node);
    tree.groups[node] = group;
    tree.ids.push(node);
    tree.boxes[node] = boxOf(group, tree.svg.viewBox.baseVal);
    group.setAttribute("role", "button");
    const below = nodesBelow(tree.story, node);
    if (!below || tree.story.cut?.[node]) return;
    const count = drawn("text", { class: "fold-count", "text-anchor": "middle", y: Number(group.dataset.h) / 2 + 17 });
    count.textContent = WORDS.folded(below);
    group.append(count);
  }

  /** Work out which nodes lie below a collapsed node or below the depth limit. */
  function refold() {
    const { story, collapsed, limit } = tree;
    const under = new Int32Array(story.size).fill(-1); // the topmost folded ancestor
    for (let node = 1; node < story.size; node += 1) {
      const parent = story.nodes.parent[node];
      const closed = collapsed.has(parent) || story.nodes.depth[parent] >= limit;
      under[node] = under[parent] >= 0 ? under[parent] : closed ? parent : -1;
    }
    tree.folded = under;
    for (const node of tree.ids) {
      tree.groups[node].classList.toggle("folded", under[node] >= 0);
      tree.edges[node]?.classList.toggle("folded", under[node] >= 0);
      const closes = tree.collapsed.has(node) || story.nodes.depth[node] >= limit;
      tree.groups[node].classList.toggle("closed", closes && under[node] < 0);
    }
  }

  /** `seen` is the step whose cuts are seen: one less while a decision is being worked out. */
  function paint({ step, seen = step, selected, hides }) {
    const { story } = tree;
    const current = drawnAs(story, nodeOfStep(story, step));
    for (const node of tree.ids) {
      const state = stateOf(story, node, seen, current);
      const decided = isDecided(story, node, step);
      const guessing = hides(node);
      const cut = isCut(story, node, seen);
      const code = state + 8 * decided + 16 * guessing + 32 * cut;
      if (code === tree.painted[node]) continue;
      tree.painted[node] = code;
      if (story.nodes.cut_at) dressCut(node, cut);
      dress(node, STATES[state], decided, guessing);
    }
    tree.now = current;
    rove();
    stand(tree.folded[current]);
    light(selected === null ? null : drawnAs(story, selected));
  }

  function dress(node, state, decided, guessing) {
    const group = tree.groups[node];
    group.dataset.state = state;
    group.dataset.decided = decided;
    group.classList.toggle("guessing", guessing);
    const edge = tree.edges[node];
    if (edge) edge.dataset.state = state === "hidden" ? "hidden" : "shown"; // states are those of nodes
    if (state === "hidden") group.removeAttribute("tabindex");
    else if (!group.hasAttribute("tabindex")) group.setAttribute("tabindex", "-1");
    group.setAttribute("aria-label", saidOf(node, decided, guessing).join(". "));
    if (state === "current") group.setAttribute("aria-current", "step");
    else group.removeAttribute("aria-current");
  }

  /** A split that was cut looks like the leaf that it has become. */
  function dressCut(node, cut) {
    tree.groups[node].dataset.cut = cut;
    tree.groups[node].dataset.kind = cut || !tree.story.nodes.split[node] ? "leaf" : "split";
  }

  /** One node is reached by Tab: the one that was last in focus, else the current one; the arrows reach the others. */
  function rove(to = tree.reach) {
    const known = to !== undefined && isSeen(to);
    const next = known ? to : tree.folded[tree.now] >= 0 ? tree.folded[tree.now] : tree.now;
    if (tree.tab !== next || tree.groups[next].getAttribute("tabindex") !== "0") {
      if (tree.tab !== undefined && tree.groups[tree.tab]?.hasAttribute("tabindex")) tree.groups[tree.tab].setAttribute("tabindex", "-1");
      tree.groups[next].setAttribute("tabindex", "0");
      tree.tab = next;
    }
  }

  const isSeen = (node) => tree.groups[node] && tree.groups[node].dataset.state !== "hidden" && tree.folded[node] < 0;

  /** The next node on the surface in the order of the trace, or the one before. */
  function neighbourOf(node, direction) {
    const seen = tree.ids.filter(isSeen);
    return seen[seen.indexOf(node) + direction];
  }

  /** Mark the folded ancestor that stands for the current node. */
  function stand(node) {
    if (node === tree.standing) return;
    tree.groups[tree.standing]?.classList.remove("stands");
    tree.groups[node]?.classList.add("stands");
    tree.standing = node;
  }

  /** Light the path to the selected node, and put the ring round it. */
  function light(selected) {
    if (tree.lit === selected && (selected === null || tree.ring.parentNode)) return;
    tree.lit = selected;
    tree.ring.remove();
    for (const was of tree.svg.querySelectorAll(".lit")) was.classList.remove("lit");
    if (selected === null) return;
    for (const node of pathTo(tree.story, selected)) {
      tree.groups[node]?.classList.add("lit");
      tree.edges[node]?.classList.add("lit");
    }
    const group = tree.groups[selected];
    if (!group) return;
    const [width, height] = [Number(group.dataset.w) + 12, Number(group.dataset.h) + 12];
    for (const [name, value] of Object.entries({ x: -width / 2, y: -height / 2, width, height })) {
      tree.ring.setAttribute(name, value);
    }
    group.prepend(tree.ring);
  }

  /** What is known of a node in words, for the tooltip and for screen readers. */
  function saidOf(node, decided, guessing) {
    const { nodes } = tree.story;
    const facts = guessing ? [nodes.rows[node]] : [nodes.rows[node], nodes.counts[node], nodes.impurity[node]];
    const cut = tree.groups[node]?.dataset.cut === "true";
    const outcome = !decided ? capital(WORDS.open) : cut ? nodes.cut_words[node] : nodes.reason[node] ?? WORDS.splitOn(nodes.test[node]);
    const lines = [nodes.title[node], facts.filter(Boolean).join(" · "), outcome];
    if (decided && tree.groups[node]?.classList.contains("closed")) lines.push(WORDS.foldedNodes(nodesBelow(tree.story, node)));
    return lines;
  }

  function nodeUnder(event) {
    const group = event.target.closest?.("[data-node]");
    return group && group.dataset.state !== "hidden" ? Number(group.dataset.node) : -1;
  }

  function toggle(node) {
    if (!tree.story.nodes.split[node] || !nodesBelow(tree.story, node)) return;
    if (!tree.collapsed.delete(node)) tree.collapsed.add(node);
    refold();
    on.fold();
  }

  /** Explain the node under a resting pointer; one that only passes by is left in peace. */
  function explainSoon(event) {
    unexplain();
    const node = nodeUnder(event);
    if (node >= 0 && event.pointerType !== "touch") tree.resting = setTimeout(explain, 350, node);
  }

  function explain(node) {
    const group = tree.groups[node];
    const lines = saidOf(node, group.dataset.decided === "true", group.classList.contains("guessing"));
    tooltip.replaceChildren(...lines.filter(Boolean).map((line) => element("p", "", line)));
    tooltip.hidden = false;
    const frame = tooltip.offsetParent.getBoundingClientRect();
    const box = group.getBoundingClientRect();
    const half = tooltip.offsetWidth / 2;
    const x = Math.min(Math.max((box.left + box.right) / 2 - frame.left, half + 6), frame.width - half - 6);
    const above = box.top - frame.top > tooltip.offsetHeight + 12;
    tooltip.style.left = `${x - half}px`;
    tooltip.style.top = `${above ? box.top - frame.top - tooltip.offsetHeight - 8 : box.bottom - frame.top + 8}px`;
  }

  function unexplain() {
    clearTimeout(tree.resting);
    tooltip.hidden = true;
  }

  viewport.onclick = (event) => {
    const node = nodeUnder(event);
    on.select(node < 0 ? null : node);
  };
  viewport.ondblclick = (event) => {
    const node = nodeUnder(event);
    if (node >= 0) toggle(node);
  };
  viewport.onkeydown = (event) => {
    const node = nodeUnder(event);
    if (node < 0 || event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return;
    const direction = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (direction) {
      event.preventDefault();
      tree.groups[neighbourOf(node, direction)]?.focus({ preventScroll: true });
      return;
    }
    if (event.key !== "Enter" && event.key !== " ") return;
    event.preventDefault();
    if (event.key === "Enter" && tree.lit === node) toggle(node);
    else on.select(node);
  };
  viewport.onpointerover = explainSoon;
  viewport.onpointerleave = unexplain;
  viewport.addEventListener("focusin", (event) => {
    const node = nodeUnder(event);
    if (node < 0) return;
    tree.reach = node;
    rove();
    if (!event.target.matches(":focus-visible")) return;
    on.look(tree.boxes[node], tree.boxes[node], false);
    explain(node);
  });
  viewport.addEventListener("focusout", (event) => {
    unexplain();
    if (!viewport.contains(event.relatedTarget)) tree.reach = undefined; // Tab comes back to the current node
  });

  return {
    show, paint,
    hideTooltip: unexplain,
    fold: toggle,
    /** Whether a node on the surface has a branch to fold away, and whether it is folded: null, false or true. */
    folded(node, step) {
      const seen = isSeen(node) && isDecided(tree.story, node, step) && tree.story.nodes.split[node];
      return seen && nodesBelow(tree.story, node) && !tree.story.cut?.[node] ? tree.collapsed.has(node) : null;
    },
    svg: () => tree.svg,
    /** The number of levels `by` fewer or more than are shown; null where that is all. */
    deeper(by) {
      const { deepest } = tree.story;
      const next = Math.min(Math.max(Math.min(tree.limit, deepest) + by, 0), deepest);
      return next >= deepest ? null : next;
    },
    /** Show so many levels below the root; null shows all. */
    limitTo(levels) {
      const limit = levels === null || levels >= tree.story.deepest ? Infinity : levels;
      if (limit === tree.limit) return;
      tree.limit = limit;
      refold();
    },
    limit: () => tree.limit,
    /** A node's group, and the edge that leads to it. */
    parts: (node) => ({ group: tree.groups[node], edge: tree.edges[node] }),
    /** The node that stands for `node`, and those of its children that are on the surface. */
    family(node, step) {
      const seen = drawnAs(tree.story, node);
      const stands = tree.folded[seen] >= 0 ? tree.folded[seen] : seen;
      const open = stands === seen && isDecided(tree.story, seen, step);
      const children = open ? tree.story.nodes.children[seen] : [];
      return { node: stands, children: children.filter((child) => tree.boxes[child] && tree.folded[child] < 0) };
    },
    /** What stands on the surface, for a map: the boxes with their parents', and the current one. */
    seen() {
      const { parent } = tree.story.nodes;
      const shown = tree.ids.filter((node) => tree.groups[node].dataset.state !== "hidden" && tree.folded[node] < 0);
      const now = tree.standing >= 0 ? tree.standing : tree.now;
      return { boxes: shown.map((node) => [tree.boxes[node], tree.boxes[parent[node]] ?? null]), current: tree.boxes[now] };
    },
    /** The box of the node that stands for `node`, and a wider one with its visible children. */
    boxes(node, step) {
      const { node: seen, children } = this.family(node, step);
      const box = tree.boxes[seen];
      return [box, children.map((child) => tree.boxes[child]).reduce(union, box)];
    },
  };
}

function union(a, b) {
  return {
    left: Math.min(a.left, b.left), right: Math.max(a.right, b.right),
    top: Math.min(a.top, b.top), bottom: Math.max(a.bottom, b.bottom),
  };
}

/** The size of a picture in CSS pixels, from its viewBox where it has one. */
function sizeOf(svg) {
  const { width, height } = svg.viewBox.baseVal;
  return { width: width || parseFloat(svg.getAttribute("width")), height: height || parseFloat(svg.getAttribute("height")) };
}

/** The box of a node's group in pixels of the picture; the group's origin is the box's centre. */
function boxOf(group, view) {
  const [x, y] = (group.getAttribute("transform") ?? "").match(/-?[\d.]+/g)?.map(Number) ?? [0, 0];
  const [w, h] = [Number(group.dataset.w), Number(group.dataset.h)];
  const [cx, cy] = [x - view.x, y - view.y];
  return { left: cx - w / 2, right: cx + w / 2, top: cy - h / 2, bottom: cy + h / 2 };
}
