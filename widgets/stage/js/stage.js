// The stage: what is shown is one small state; every press changes it and paints it, in one go.
// Streamlit calls the default export again whenever its data changed, with the same parent.

const stages = new WeakMap();

export default function ({ parentElement, data, setStateValue }) {
  const stage = stages.get(parentElement) ?? mountStage(parentElement);
  stages.set(parentElement, stage);
  stage.reporter.send = setStateValue;
  stage.receive(data);
  return () => {
    stages.delete(parentElement);
    stage.unmount();
  };
}

/** The first line of the data names the stage and the story; the story itself is the rest, deflated. */
function readData(bytes) {
  const end = bytes.indexOf(10);
  const header = JSON.parse(new TextDecoder().decode(bytes.subarray(0, end)));
  const inflated = () => new Blob([bytes.subarray(end + 1)]).stream().pipeThrough(new DecompressionStream("deflate"));
  return { header, board: () => new Response(inflated()).json() };
}

function mountStage(parent) {
  const root = parent.querySelector(".stage");
  const part = (name) => root.querySelector(name);
  const button = (name) => part(`[data-testid=stepper-${name}]`);
  const viewport = part(".viewport");
  const style = root.appendChild(element("style"));

  const reporter = makeReporter();
  const camera = makeCamera(viewport, () => overview.follow());
  const overview = makeOverview(part(".picture"), camera);
  const tree = makeTree(viewport, part(".tooltip"), { select, fold: () => repaint(), look: camera.follow });
  const lens = makeLens(part(".picture"), tree);
  const why = makeWhy(part(".side"), { candidate });
  const algorithm = makeAlgorithm(root);
  const verdict = part(".verdict");
  const view = makeView(root, { changed });

  let name = "";
  let coming = ""; // the key of the story that is shown or about to be
  let story = null;
  let guesses = null;
  let heard = { story: "", goto: null };
  let playing = 0;
  let pointed = 0; // how often Python has selected a node
  let lit = []; // the path that Python lights
  let details = ""; // the key of the container that shows an opened candidate
  const state = {
    step: 0, sub: Infinity, // Infinity: the entry as a whole; else how many sub-steps of it are shown
    selected: null, opened: null, guess: false,
  };

  // ---- what comes from Python ----

  async function receive(bytes) {
    const { header, board } = readData(bytes);
    name = header.stage;
    if (coming === header.story) return;
    coming = header.story;
    const next = readStory(await board());
    if (coming !== next.key) return; // another story has come since
    open(next);
    const said = window.espalierSaid?.get(name);
    if (said) listen(said);
  }

  function open(next) {
    story = next;
    const said = window.espalierSaid?.get(name);
    const mine = said?.story === story.key ? said : null;
    guesses = makeGuesses(story, mine?.guesses);
    view.take(mine?.view);
    pause();
    style.textContent = harmlessStyle(story.style);
    for (const [variable, light] of Object.entries(story.theme.light)) {
      root.style.setProperty(variable, `light-dark(${light}, ${story.theme.dark[variable]})`);
    }
    write(part("[data-chip=impurity]"), capital(story.measure.impurity));
    write(part("[data-chip=bar]"), story.classes.length ? WORDS.shares : WORDS.spread);
    view.offer(story.granularity.names, Boolean(story.verdicts));
    button("position").max = story.last;
    algorithm.show(story);
    showTree();
    Object.assign(state, { step: Math.min(mine?.position ?? 0, story.last), sub: Infinity, selected: null, opened: null });
    if (state.guess) guesses.passOver(state.step);
    heard = { story: said?.story, goto: said?.goto };
    repaint();
    home();
    tellAll();
  }

  function listen(said) {
    if (said.stage !== name || said.story !== story?.key) return;
    const jumps = heard.story !== said.story || heard.goto !== said.goto;
    heard = { story: said.story, goto: said.goto };
    if (jumps) jump(said);
    if (said.guess && (jumps || !state.guess)) guesses.passOver(state.step);
    state.guess = said.guess;
    dressTree();
    const points = said.pointed !== pointed && said.selected !== null;
    pointed = said.pointed;
    if (points) state.selected = said.selected;
    lit = said.lit ?? [];
    details = said.details ?? "";
    repaint(jumps);
    if (points) camera.follow(...tree.boxes(said.selected, state.step));
    if (jumps) tellAll();
  }

  /** Go where Python asks, and see the tree as it asks. */
  function jump(said) {
    Object.assign(state, { step: Math.min(said.position, story.last), sub: Infinity, selected: null });
    guesses = makeGuesses(story, said.guesses);
    const { orientation } = view.now;
    view.take(said.view);
    if (view.now.orientation !== orientation) showTree();
    tree.limitTo(view.now.levels);
  }

  /** Light the nodes and edges of a path, one after the other. */
  function light() {
    for (const group of tree.svg()?.querySelectorAll("[data-node], [data-edge]") ?? []) {
      const place = lit.indexOf(Number(group.dataset.node ?? group.dataset.edge));
      group.classList.toggle("walked", place >= 0);
      group.style.setProperty("--place", Math.max(place, 0));
    }
  }

  /** After a new story or a jump: what was told before no longer holds. */
  function tellAll() {
    reporter.correct("position", state.step);
    reporter.correct("selected", state.selected);
    reporter.correct("candidate", state.opened);
    reporter.correct("guesses", guesses.report());
  }

  // ---- stepping ----

  function move(direction) {
    if (!story) return false; // a press before the story has arrived
    const subs = subStepsHere();
    const at = Math.min(state.sub, subs.length);
    if (direction > 0 && at < subs.length) return go(state.step, at + 1);
    if (direction < 0 && at > 0 && subs.length) return go(state.step, at - 1);
    const step = neighbour(story.stops[view.now.granularity], state.step, direction, story.last);
    return go(step, direction > 0 ? 0 : Infinity);
  }

  function subStepsHere(step = state.step) {
    return view.now.granularity === "detail" && !state.guess ? subSteps(story, step) : [];
  }

  function go(wanted, sub = Infinity, gently = false) {
    if (!story) return false;
    const limit = state.guess ? guesses.limit() : story.last;
    const step = Math.min(Math.max(wanted, 0), limit);
    if (wanted > limit) hold();
    const subs = subStepsHere(step).length;
    const moved = step !== state.step;
    Object.assign(state, { step, sub: sub < subs ? sub : Infinity });
    if (state.selected !== null) choose(null);
    tree.hideTooltip();
    repaint();
    if (moved) reporter.position(step, gently || playing > 0);
    return moved || subs > 0;
  }

  /** Stepping is held until the question is answered: say so where the question stands. */
  function hold() {
    pause();
    verdict.classList.remove("nudged");
    requestAnimationFrame(() => verdict.classList.add("nudged"));
  }

  const moves = {
    next: () => { pause(); move(1); },
    previous: () => { pause(); move(-1); },
    first: () => { pause(); go(0); },
    last: () => { pause(); go(story?.last); },
    play: () => (playing ? pause() : story && play()),
  };

  function play() {
    if (state.step === story.last && state.sub === Infinity) go(0);
    playing = 1;
    tick();
  }

  function tick() {
    if (!root.isConnected) return;
    playing = setTimeout(() => {
      if (!playing) return;
      move(1);
      if (!playing) return;
      const ended = state.step === story.last && Math.min(state.sub, subStepsHere().length) === subStepsHere().length;
      if (ended) pause();
      else tick();
    }, view.pace());
    paintPlay();
  }

  function pause() {
    if (!playing) return;
    clearTimeout(playing);
    playing = 0;
    reporter.flush();
    paintPlay();
  }

  function paintPlay() {
    button("play").setAttribute("aria-pressed", playing > 0);
    button("play").setAttribute("aria-label", playing ? WORDS.pause : WORDS.play);
  }

  // ---- selecting, opening, guessing ----

  function select(node) {
    choose(node === state.selected ? null : node);
    repaint(false);
  }

  function choose(node) {
    state.selected = node;
    reporter.now("selected", node);
  }

  function candidate(feature) {
    state.opened = feature === state.opened ? null : feature;
    reporter.now("candidate", state.opened);
    repaint(false);
    if (state.opened !== null) showDetails();
  }

  /** What the page says of an opened candidate may lie below the stage. */
  function showDetails() {
    const place = details && document.querySelector(`.st-key-${details}`);
    const behavior = window.matchMedia("(prefers-reduced-motion: reduce)").matches ? "auto" : "smooth";
    if (place) place.scrollIntoView({ block: "nearest", behavior });
  }

  function answer(feature) {
    guesses.answer(nodeOfStep(story, state.step), feature);
    reporter.now("guesses", guesses.report());
    repaint();
    button("next").focus({ preventScroll: true });
  }

  /** Whether a node's purity must not be seen yet. */
  function hides(node) {
    return state.guess && !isDecided(story, node, state.step) && !guesses.answered(node);
  }

  // ---- painting ----

  function repaint(follows = true) {
    const subs = subStepsHere();
    const sub = subs[Math.min(state.sub, subs.length)] ?? null;
    paintStepper(sub ? [state.sub + 1, subs.length] : null);
    const sentence = sentenceOf(sub);
    write(part(".narration"), sentence);
    part(".narration").dataset.length = lengthOf(sentence);
    if (width <= 700) refit(part(".narration"));
    const undecided = sub !== null && story.verdicts; // a cut is seen once its sides are worked out
    tree.paint({ step: state.step, seen: undecided ? state.step - 1 : state.step, selected: state.selected, hides });
    overview.paint(tree.seen);
    light();
    paintWhy(subs, sub);
    algorithm.paint({ step: state.step });
    tellPage();
    if (follows) look();
  }

  /** Where it stands, for whatever else on the page follows without asking Python. */
  function tellPage() {
    const at = { stage: name, story: story.key, step: state.step };
    (window.espalierAt ??= new Map()).set(name, at);
    window.dispatchEvent(new CustomEvent("espalier-at", { detail: at }));
  }

  function paintStepper(place) {
    const slider = button("position");
    slider.value = state.step;
    slider.style.setProperty("--done", story.last ? state.step / story.last : 0);
    slider.setAttribute("aria-valuetext", WORDS.step(state.step, story.last));
    write(part(".count"), WORDS.step(state.step, story.last));
    write(part(".sub-count"), place ? partOf(...place) : "");
    // Spent, not disabled: a button that is disabled while it has the focus loses it.
    for (const name of ["first", "previous"]) button(name).classList.toggle("spent", state.step === 0);
    for (const name of ["next", "last"]) button(name).classList.toggle("spent", state.step === story.last);
  }

  const partOf = (place, all) => (story.words.part ? fill(story.words.part, { place, all }) : WORDS.part(place, all));

  function sentenceOf(sub) {
    if (sub) return subSentence(story, sub);
    const careful = state.guess ? guessSentence(story, state.step, guesses) : null;
    return careful ?? (story.sentences[state.step] || story.words.untold);
  }

  /** How long a sentence is for its place, so that type shrinks instead of the page moving. */
  function lengthOf(sentence) {
    const [lines, letter] = width > 700 ? [2, 11.6] : [3, 9.3]; // of the largest type, in stage.css
    const room = (lines * (width - 20)) / letter;
    return sentence.length <= room ? "short" : sentence.length <= 1.7 * room ? "long" : "longest";
  }

  function paintWhy(subs, sub) {
    const node = state.selected ?? nodeOfStep(story, state.step);
    const away = state.selected !== null && state.selected !== nodeOfStep(story, state.step);
    const asked = state.guess ? guesses.openAt(state.step) : -1;
    const shown = whyOf(story, node, state.step, { opened: state.opened, away, hidden: hides(node) });
    if (asked === node) {
      why.paint({ ...shown, title: WORDS.asks, words: "", list: [], more: 0 });
      if (verdict.dataset.asks !== String(node)) askFor(verdict, story, node, answer);
    } else {
      if (sub && state.selected === null) {
        shown.list = partialBars(story, node, subs, state.sub);
        if (story.verdicts) Object.assign(shown, { title: story.words.deciding, words: "" });
      }
      why.paint(shown);
      if (state.guess && isScored(story, node, state.step)) judge(verdict, story, node, guesses);
      else verdict.hidden = true;
    }
    const folded = state.selected === null ? null : tree.folded(state.selected, state.step);
    part(".fold").hidden = folded === null;
    write(part(".fold"), folded ? WORDS.unfold : WORDS.fold);
    const curve = sub && state.selected === null ? scanCurve(sub) : null;
    part(".scan").replaceChildren(...(curve ? [curve] : []));
    part(".scan").hidden = !curve;
    if (curve) why.reveal();
  }

  // ---- the picture ----

  function showTree() {
    const { svg, width: wide, height } = tree.show(story, view.now.orientation);
    tree.limitTo(view.now.levels);
    dressTree();
    overview.show(wide, height);
    camera.show(svg, wide, height);
  }

  /** What the view says of the tree, on the tree. */
  function dressTree() {
    view.dressPicture(tree.svg(), state.guess);
    part("[data-outline]").disabled = state.guess; // the outline would give the answer away
    const limit = tree.limit();
    write(part(".depth-shown"), Number.isFinite(limit) ? WORDS.levels(limit) : WORDS.allLevels);
    part("[data-depth='1']").disabled = !Number.isFinite(limit);
    part("[data-depth='-1']").disabled = limit === 0;
  }

  /** The student looks at the tree in another way. */
  function changed(what) {
    reporter.now("view", { ...view.now });
    if (!story) return;
    if (what === "orientation") showTree();
    tree.limitTo(view.now.levels);
    dressTree();
    if (what === "granularity") state.sub = Infinity;
    repaint();
    if (what === "orientation") home();
  }

  /** Keep the step's node and its children in view, and readable. */
  function look(smoothly = true) {
    const node = nodeOfStep(story, state.step);
    const [box, wish] = tree.boxes(node, state.step);
    const family = tree.family(node, state.step);
    overview.reserve(lens.show(family.node, family.children, camera.scaleFor(wish), camera.width()));
    camera.follow(box, wish, smoothly);
  }

  /** A finger alone scrolls the page: say how the tree is moved, for a moment. */
  function hinted() {
    const hint = part(".hint");
    write(hint, WORDS.fingers);
    hint.classList.remove("shown");
    requestAnimationFrame(() => hint.classList.add("shown"));
  }

  function home() {
    camera.home(tree.boxes(nodeOfStep(story, state.step), state.step)[0]);
    look(false);
  }

  // ---- wiring ----

  let width = root.clientWidth;
  const sized = new ResizeObserver(() => {
    width = root.clientWidth;
    if (!story) return;
    camera.resize(tree.boxes(nodeOfStep(story, state.step), state.step)[0]);
    look(false);
  });
  sized.observe(viewport);

  for (const move of Object.keys(moves)) button(move).onclick = moves[move];
  button("position").oninput = (event) => { pause(); go(Number(event.target.value)); };
  part(".back").onclick = () => select(null);
  part(".fold").onclick = () => tree.fold(state.selected);
  for (const zoom of root.querySelectorAll("[data-zoom]")) zoom.onclick = () => camera.zoom(1.25 ** Number(zoom.dataset.zoom));
  for (const depth of root.querySelectorAll("[data-depth]")) {
    depth.onclick = () => view.change("levels", tree.deeper(Number(depth.dataset.depth)));
  }
  part("[data-fit]").onclick = () => camera.fit();
  root.onkeydown = (event) => {
    if (event.key === "Escape" && state.selected !== null) select(null);
  };
  steerCamera(viewport, camera, { hinted });
  const deaf = listenToKeys(root, (move) => moves[move]());
  const heardSaid = (event) => listen(event.detail);
  const asked = ({ detail }) => {
    if (detail.stage !== name || detail.story !== story?.key) return;
    pause();
    go(detail.step);
  };
  window.addEventListener("espalier-said", heardSaid);
  window.addEventListener("espalier-go", asked);

  function unmount() {
    coming = "";
    pause();
    reporter.stop();
    sized.disconnect();
    deaf();
    window.removeEventListener("espalier-said", heardSaid);
    window.removeEventListener("espalier-go", asked);
    window.espalierAt?.delete(name);
    window.espalierSaid?.delete(name);
  }

  return { reporter, receive, unmount };
}
