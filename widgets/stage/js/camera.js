// Where the tree is seen from: zoom, pan, fit, and keeping the current node and its children in view.
// Moving is one CSS transformation of a layer of its own, so a step paints nothing but what it changed;
// at rest the scale is the picture's size, so text is sharp at every zoom.

const MARGIN = 12;
const READABLE = 0.85; // below this scale a node's text cannot be read from the back of a room
const ENOUGH = 0.7; // a scale of this share of the wanted one is kept rather than changed at every step
const AHEAD = 0.16; // how far from the edge a box comes in, as a share of the viewport: steps then pan rarely
const LARGEST_FIT = 1.7; // a tree of three nodes should not fill a wall
const [LEAST_SCALE, GREATEST_SCALE] = [0.01, 4];
const GLIDE = 220; // ms, as long as the transition in stage.css

/** A camera on `viewport`; `show` gives it a picture, `moved` is told of every move. */
function makeCamera(viewport, moved = () => {}) {
  const camera = { svg: null, width: 1, height: 1, x: 0, y: 0, scale: 1, wanted: 1, drawnAt: 0, touched: false, inset: 0 };
  const still = window.matchMedia("(prefers-reduced-motion: reduce)");
  let settling = 0;

  function place(smoothly = false) {
    if (!camera.svg) return;
    const glides = smoothly && camera.drawnAt > 0 && !still.matches;
    viewport.classList.toggle("gliding", glides);
    clearTimeout(settling);
    if (glides) settling = setTimeout(settle, GLIDE);
    else draw();
    const scaled = camera.scale === camera.drawnAt ? "" : ` scale(${camera.scale / camera.drawnAt})`;
    camera.svg.style.transform = `translate(${Math.round(camera.x)}px, ${Math.round(camera.y)}px)${scaled}`;
    viewport.classList.toggle("pannable", isLarger());
    moved();
  }

  /** The picture at its true size: costs a layout, so not while it glides. */
  function draw() {
    if (camera.drawnAt === camera.scale) return;
    camera.drawnAt = camera.scale;
    camera.svg.setAttribute("width", camera.width * camera.scale);
    camera.svg.setAttribute("height", camera.height * camera.scale);
  }

  const settle = () => place();

  // Measured once a resize, not once a step: reading it again would force a layout.
  let measured = null;
  const room = () => (measured ??= { width: viewport.clientWidth || 1, height: viewport.clientHeight || 1 });

  const isLarger = (scale = camera.scale) =>
    camera.width * scale > room().width || camera.height * scale > room().height;

  /** The room that nothing covers: the map of a large tree stands at the bottom. */
  function free(scale = camera.scale) {
    const { width, height } = room();
    return { width, height: isLarger(scale) ? Math.max(height - camera.inset, height / 2) : height };
  }

  /** The scale at which a box of the tree just fits. */
  function fitting(width, height, { width: wide, height: high } = room()) {
    return Math.min((wide - 2 * MARGIN) / Math.max(width, 1), (high - 2 * MARGIN) / Math.max(height, 1));
  }

  const most = ({ left, right, top, bottom }) => fitting(right - left, bottom - top, free(camera.wanted));
  const fitScale = () => Math.min(fitting(camera.width, camera.height), LARGEST_FIT);
  const bounded = (scale) => Math.min(Math.max(scale, LEAST_SCALE), GREATEST_SCALE);

  /** Put the tree in the middle, or as much of it as there is room for around `box`. */
  function centre(scale, box = null) {
    camera.scale = scale;
    const { width, height } = free();
    camera.x = along(camera.width, width, box && (box.left + box.right) / 2);
    camera.y = along(camera.height, height, box && (box.top + box.bottom) / 2);
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
      camera.wanted = Math.max(fitScale(), READABLE);
      centre(camera.wanted, box);
      camera.touched = false;
      place();
    },

    /** The whole tree, however small. */
    fit() {
      camera.wanted = fitScale();
      centre(camera.wanted);
      camera.touched = true;
      place(true);
    },

    zoom(factor, at = { x: room().width / 2, y: room().height / 2 }) {
      const scale = bounded(camera.scale * factor);
      camera.x = at.x - ((at.x - camera.x) * scale) / camera.scale;
      camera.y = at.y - ((at.y - camera.y) * scale) / camera.scale;
      camera.scale = camera.wanted = scale;
      camera.touched = true;
      place();
    },

    pan(dx, dy) {
      camera.x += dx;
      camera.y += dy;
      place();
    },

    /** Put a place of the tree in the middle of the view. */
    lookAt(x, y) {
      const { width, height } = room();
      camera.x = width / 2 - x * camera.scale;
      camera.y = height / 2 - y * camera.scale;
      place();
    },

    /** The scale at which a part of the tree can be seen whole, at most the wanted one. */
    scaleFor: (wish) => bounded(Math.min(camera.wanted, most(wish))),

    /** Move as little as brings `wish`, which holds `box`, into view. The scale gives way where the wish
     *  has no room, and comes back when the next one has. */
    follow(box, wish, smoothly = true) {
      const scale = this.scaleFor(wish);
      const kept = camera.scale <= most(wish) && camera.scale >= ENOUGH * scale;
      if (!kept && camera.scale !== scale) {
        centre(scale, wish);
        place(smoothly);
        return;
      }
      const { width, height } = free();
      const dx = shift(wish.left, wish.right, camera.x, camera.width, width);
      const dy = shift(wish.top, wish.bottom, camera.y, camera.height, height);
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

    /** Keep so many pixels at the bottom free of what is followed, while the tree is larger than the view. */
    reserve(inset) {
      camera.inset = inset;
    },

    /** The width of the view, as last measured. */
    width: () => room().width,

    /** What is seen of the tree, in its own pixels, and whether that is less than all of it. */
    frame() {
      const { width, height } = room();
      const [left, top] = [-camera.x / camera.scale, -camera.y / camera.scale];
      return {
        left, top, right: left + width / camera.scale, bottom: top + height / camera.scale,
        width: camera.width, height: camera.height, partial: isLarger(),
      };
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
