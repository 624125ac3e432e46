// The hand on the camera: wheel with Ctrl or ⌘, drag, pinch. A finger alone scrolls the page up and down, as
// everywhere on it; sideways it moves the tree, and two fingers move and zoom it.

/** Wire `camera` to the pointers over `viewport`; `on.hinted()` is told of a finger that wants to move a tall tree. */
function steerCamera(viewport, camera, on = {}) {
  const fingers = new Map();
  let dragged = false;
  let apart = 0;
  let before = null; // the middle of the fingers

  viewport.onwheel = (event) => {
    if (!event.ctrlKey && !event.metaKey) return;
    event.preventDefault();
    camera.zoom(Math.exp(-event.deltaY * 0.0022), placeOf(event));
  };
  // With two fingers down the browser would scroll the page; it asks here first.
  viewport.addEventListener("touchmove", (event) => {
    if (event.touches.length > 1 && event.cancelable) event.preventDefault();
  }, { passive: false });

  viewport.onpointerdown = (event) => {
    if (event.button) return;
    fingers.set(event.pointerId, placeOf(event));
    if (fingers.size === 1) dragged = false;
    restart();
  };
  viewport.onpointermove = (event) => {
    if (!fingers.has(event.pointerId)) return;
    const now = placeOf(event);
    const from = fingers.get(event.pointerId);
    if (!dragged && Math.hypot(now.x - from.x, now.y - from.y) < 4) return;
    if (!dragged) viewport.setPointerCapture(event.pointerId);
    dragged = true;
    fingers.set(event.pointerId, now);
    const [middle, wider] = [middleOf(), spread()];
    camera.pan(middle.x - before.x, middle.y - before.y);
    if (apart) camera.zoom(wider / apart, middle);
    [before, apart] = [middle, wider];
  };
  viewport.onpointerup = lift;
  viewport.onpointercancel = (event) => {
    if (fingers.size === 1 && event.pointerType === "touch" && camera.frame().partial) on.hinted?.();
    lift(event);
  };
  viewport.addEventListener("click", (event) => {
    if (dragged) event.stopPropagation();
    dragged = false;
  }, { capture: true });

  function lift(event) {
    fingers.delete(event.pointerId);
    restart();
  }

  function restart() {
    before = fingers.size ? middleOf() : null;
    apart = spread();
  }

  function spread() {
    const [a, b] = [...fingers.values()];
    return b ? Math.hypot(a.x - b.x, a.y - b.y) : 0;
  }

  function middleOf() {
    const all = [...fingers.values()];
    const mean = (name) => all.reduce((sum, one) => sum + one[name], 0) / all.length;
    return { x: mean("x"), y: mean("y") };
  }

  function placeOf(event) {
    const frame = viewport.getBoundingClientRect();
    return { x: event.clientX - frame.left, y: event.clientY - frame.top };
  }
}
