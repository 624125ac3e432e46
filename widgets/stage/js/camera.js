// Where the tree is seen from: zoom, pan, fit, and keeping the current node in view.
// Moving is one CSS translation of a layer of its own, so a step paints nothing but what it changed;
// the scale is the picture's size, so text is sharp at every zoom.

const MARGIN = 12;
const READABLE = 0.85; // below this scale a node's text cannot be read from the back of a room
const AHEAD = 0.16; // how far from the edge a box comes in, as a share of the viewport: steps then pan rarely
const LARGEST_FIT = 1.7; // a tree of three nodes should not fill a wall
const [LEAST_SCALE, GREATEST_SCALE] = [0.04, 4];

/** A camera on `viewport`; `show` gives it a picture. */
function makeCamera(viewport) {
  const camera = { svg: null, width: 1, height: 1, x: 0, y: 0, scale: 1, drawnAt: 0, touched: false };

  function place(smoothly = false) {
    if (!camera.svg) return;
    viewport.classList.toggle("gliding", smoothly);
    if (camera.drawnAt !== camera.scale) {
      camera.drawnAt = camera.scale;
      camera.svg.setAttribute("width", camera.width * camera.scale);
      camera.svg.setAttribute("height", camera.height * camera.scale);
    }
    camera.svg.style.transform = `translate(${Math.round(camera.x)}px, ${Math.round(camera.y)}px)`;
    const larger = camera.width * camera.scale > room().width || camera.height * camera.scale > room().height;
    viewport.classList.toggle("pannable", larger);
  }

  // Measured once a resize, not once a step: reading it again would force a layout.
  let measured = null;
  const room = () => (measured ??= { width: viewport.clientWidth || 1, height: viewport.clientHeight || 1 });

  function fitScale() {
    const { width, height } = room();
    return Math.min((width - 2 * MARGIN) / camera.width, (height - 2 * MARGIN) / camera.height, LARGEST_FIT);
  }

  /** Put the tree in the middle, or as much of it as there is room for around `box`. */
  function centre(scale, box = null) {
    camera.scale = scale;
    camera.x = along(camera.width, room().width, box && (box.left + box.right) / 2);
    camera.y = along(camera.height, room().height, box && (box.top + box.bottom) / 2);
  }

  function along(whole, length, middle) {
    const total = whole * camera.scale;
    if (total <= length || middle === null) return (length - total) / 2;
    return clamped(length / 2 - middle * camera.scale, total, length);
  }

  /** An offset that shows no more emptiness beyond the tree's ends than the margin. */
  function clamped(offset, total, length) {
    return Math.min(Math.max(offset, length - MARGIN - total), MARGIN);
  }

  return {
    /** Take a picture of the given size and show it whole, or as much of it as can be read. */
    show(svg, width, height) {
      Object.assign(camera, { svg, width, height, drawnAt: 0, touched: false });
      this.home();
    },

    /** The whole tree where it is readable so; else a readable part, which `follow` then moves. */
    home(box = null) {
      centre(Math.max(fitScale(), READABLE), box);
      camera.touched = false;
      place();
    },

    /** The whole tree, however small. */
    fit() {
      centre(fitScale());
      camera.touched = true;
      place(true);
    },

    zoom(factor, at = { x: room().width / 2, y: room().height / 2 }) {
      const scale = Math.min(Math.max(camera.scale * factor, LEAST_SCALE), GREATEST_SCALE);
      camera.x = at.x - ((at.x - camera.x) * scale) / camera.scale;
      camera.y = at.y - ((at.y - camera.y) * scale) / camera.scale;
      camera.scale = scale;
      camera.touched = true;
      place();
    },

    pan(dx, dy) {
      camera.x += dx;
      camera.y += dy;
      place();
    },

    /** Move as little as brings `box` into view: the whole of `wish` where there is room for it. */
    follow(box, wish, smoothly = true) {
      const { width, height } = room();
      const [wx, wy] = [wish.right - wish.left, wish.bottom - wish.top].map((length) => length * camera.scale);
      const seen = wx <= width - 2 * MARGIN && wy <= height - 2 * MARGIN ? wish : box;
      const dx = shift(seen.left, seen.right, camera.x, camera.width, width);
      const dy = shift(seen.top, seen.bottom, camera.y, camera.height, height);
      if (!dx && !dy) return;
      camera.x += dx;
      camera.y += dy;
      place(smoothly);
    },

    /** The stage got another size. */
    resize(box) {
      measured = null;
      if (!camera.svg) return;
      if (camera.touched) this.follow(box, box, false);
      else this.home(box);
      place();
    },

  };

  /** How far to move along one axis so that what lies from `low` to `high` is seen. */
  function shift(low, high, offset, whole, length) {
    const [from, to] = [low * camera.scale + offset, high * camera.scale + offset];
    if (from >= MARGIN - 1 && to <= length - MARGIN + 1) return 0;
    const total = whole * camera.scale;
    if (total <= length) return (length - total) / 2 - offset;
    const inside = Math.min(AHEAD * length, Math.max((length - (to - from)) / 2, MARGIN));
    return clamped(offset + (from < MARGIN ? inside - from : length - inside - to), total, length) - offset;
  }
}

/** Wheel with Ctrl or ⌘, pinch, drag. A click that was a drag is not a click. */
function steerCamera(viewport, camera) {
  const fingers = new Map();
  let dragged = false;
  let apart = 0;

  viewport.onwheel = (event) => {
    if (!event.ctrlKey && !event.metaKey) return;
    event.preventDefault();
    camera.zoom(Math.exp(-event.deltaY * 0.0022), placeOf(event));
  };
  viewport.onpointerdown = (event) => {
    if (event.button) return;
    fingers.set(event.pointerId, placeOf(event));
    dragged = false;
    apart = spread();
  };
  viewport.onpointermove = (event) => {
    const before = fingers.get(event.pointerId);
    if (!before) return;
    const now = placeOf(event);
    if (!dragged && Math.hypot(now.x - before.x, now.y - before.y) < 4) return;
    if (!dragged) viewport.setPointerCapture(event.pointerId);
    dragged = true;
    fingers.set(event.pointerId, now);
    if (fingers.size === 2) {
      const wider = spread();
      if (apart) camera.zoom(wider / apart, middle());
      apart = wider;
    } else camera.pan(now.x - before.x, now.y - before.y);
  };
  viewport.onpointerup = viewport.onpointercancel = (event) => fingers.delete(event.pointerId);
  viewport.addEventListener("click", (event) => {
    if (dragged) event.stopPropagation();
    dragged = false;
  }, { capture: true });

  const spread = () => {
    const [a, b] = [...fingers.values()];
    return b ? Math.hypot(a.x - b.x, a.y - b.y) : 0;
  };
  const middle = () => {
    const [a, b] = [...fingers.values()];
    return { x: (a.x + b.x) / 2, y: (a.y + b.y) / 2 };
  };
  function placeOf(event) {
    const frame = viewport.getBoundingClientRect();
    return { x: event.clientX - frame.left, y: event.clientY - frame.top };
  }
}
