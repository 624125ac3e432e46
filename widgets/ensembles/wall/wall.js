// The wall follows the stage of its page: which step that shows, it hears in the browser; a choice moves the
// stage there, and tells Python whether one member was meant or the sum so far.

const walls = new WeakMap();

export default function ({ parentElement, data, setTriggerValue }) {
  const wall = walls.get(parentElement) ?? mountWall(parentElement);
  walls.set(parentElement, wall);
  wall.receive(data, (alone) => setTriggerValue("choice", alone));
  return () => {
    walls.delete(parentElement);
    wall.unmount();
  };
}

function mountWall(parent) {
  const root = parent.querySelector(".wall");
  const style = root.appendChild(element("style"));
  const head = root.appendChild(element("p", "head"));
  const said = head.appendChild(element("span", "said"));
  const range = head.appendChild(element("span", "range"));
  const strip = root.appendChild(element("div", "strip"));
  strip.setAttribute("role", "group");

  let board = null;
  let coming = "";
  let stage = "";
  let heard = null; // what Python said last of the choice
  let report = () => {};
  let shown = [0, 0];
  let story = "";
  const state = { step: 0, alone: false };

  async function receive(bytes, tell) {
    const end = bytes.indexOf(10);
    const header = JSON.parse(new TextDecoder().decode(bytes.subarray(0, end)));
    report = tell;
    stage = header.stage;
    if (header.alone !== heard) state.alone = heard = header.alone;
    if (coming !== header.wall) {
      coming = header.wall;
      const inflated = new Blob([bytes.subarray(end + 1)]).stream().pipeThrough(new DecompressionStream("deflate"));
      const next = await new Response(inflated).json();
      if (coming !== next.key) return;
      open(next);
    }
    const now = window.espalierAt?.get(stage);
    if (now) hear(now);
    else paint();
  }

  function open(next) {
    board = next;
    shown = [0, 0];
    strip.setAttribute("aria-label", board.title);
    style.textContent = board.looks.map(([, light, dark], i) => `.look-${i}{fill:light-dark(${light},${dark})}`).join("");
    for (const [name, light] of Object.entries(board.theme.light)) {
      root.style.setProperty(name, `light-dark(${light}, ${board.theme.dark[name]})`);
    }
  }

  function hear(now) {
    if (now.stage !== stage) return;
    story = now.story;
    if (state.step !== now.step || !shown[1]) {
      state.step = now.step;
      paint();
    } else paint(false);
  }

  function choose(step, alone) {
    if (alone !== null) state.alone = alone;
    state.step = step;
    window.dispatchEvent(new CustomEvent("espalier-go", { detail: { stage, story, step } }));
    paint();
    if (alone !== null) report(alone);
  }

  /** What a card or a "+" is, while it is pointed at; else what is shown. */
  function tell(words, step = 0, alone = false) {
    root.classList.toggle("pointing", words !== null);
    said.textContent = words ?? `Shown: ${lower(chosen())}`;
    dress(words === null || alone === null ? state : { step, alone });
  }

  function chosen() {
    const { step, alone } = state;
    return alone && step ? board.thumbs[step - 1]?.said ?? "" : board.sums[Math.min(step, board.sums.length - 1)];
  }

  function paint(follows = true) {
    if (!board) return;
    const n = board.thumbs.length;
    const at = Math.min(Math.max(state.step - 1, 0), n - 1);
    const inside = at >= shown[0] + (shown[0] ? 8 : 0) && at < shown[1] - (shown[1] < n ? 8 : 0);
    const focused = strip.getRootNode().activeElement?.closest(".strip") ? strip.getRootNode().activeElement : null;
    const onSum = focused?.classList.contains("plus");
    if (!inside || !strip.childElementCount) {
      shown = windowOf(n, at);
      strip.replaceChildren(...makeStrip(board, ...shown, { choose, tell }));
    }
    const here = mark();
    range.textContent = shown[1] - shown[0] < board.total ? `Members ${shown[0] + 1}–${shown[1]} of ${board.total}` : "";
    tell(null);
    if (focused) (onSum ? strip.querySelector("[tabindex='0'].plus") : here)?.focus({ preventScroll: true });
    if (follows) centre(here);
  }

  /** The current member and the "+" behind it can be reached with Tab; of the two, what is chosen is marked. */
  function mark() {
    let here = null;
    for (const one of strip.querySelectorAll("button")) {
      const step = Number(one.dataset.member ?? one.dataset.sum ?? -1);
      const current = step === state.step;
      one.tabIndex = current || one.classList.contains("beyond") ? 0 : -1;
      one.classList.toggle("current", current && "member" in one.dataset);
      const pressed = current && (step === 0 || ("member" in one.dataset) === state.alone);
      if (step >= 0) one.setAttribute("aria-pressed", pressed);
      if (current && (step === 0 || "member" in one.dataset)) here = one;
    }
    return here;
  }

  /** Cards that are not part of what is shown, or pointed at, are pale. */
  function dress({ step, alone }) {
    for (const one of strip.querySelectorAll("[data-member]")) {
      const member = Number(one.dataset.member);
      one.classList.toggle("pale", alone ? member !== step : member > step);
    }
  }

  function centre(here) {
    if (!here) return;
    const left = here.offsetLeft - (strip.clientWidth - here.offsetWidth) / 2;
    const still = window.matchMedia("(prefers-reduced-motion: reduce)").matches;
    strip.scrollTo({ left, behavior: still ? "auto" : "smooth" });
  }

  const at = (event) => board && hear(event.detail);
  window.addEventListener("espalier-at", at);
  return { receive, unmount: () => window.removeEventListener("espalier-at", at) };
}

function lower(words) {
  return words.charAt(0).toLowerCase() + words.slice(1);
}
