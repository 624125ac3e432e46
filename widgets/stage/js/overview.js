// A small map of a tree that is larger than its place, with a frame round what is seen. It is for the eye and
// the pointer alone: the keyboard reaches every node, and the view follows it.

const [MAP_WIDTH, MAP_HEIGHT, MAP_LEAST] = [168, 84, 30];
const MAP_SHARE = 0.3; // of the width of its place, at most

/** The map in `place`, of what `camera` sees. */
function makeOverview(place, camera) {
  const svg = drawn("svg", { class: "overview", "aria-hidden": "true", preserveAspectRatio: "none" });
  const [edges, nodes, current, frame] = ["edges", "nodes", "current", "frame"].map((name) => {
    const part = drawn(name === "frame" ? "rect" : "path", { class: `overview-${name}`, "vector-effect": "non-scaling-stroke" });
    svg.append(part);
    return part;
  });
  svg.style.display = "none";
  place.append(svg);
  let least = [1, 1]; // the size of a dot that can be seen, in pixels of the tree
  let waiting = null; // the tree to draw when the map is next seen
  let seen = false;
  let own = 0; // the height that the map takes
  let covered = false; // whether something larger stands in its place

  /** The size of a tree, once. */
  function show(width, height) {
    const scale = Math.min(Math.min(MAP_WIDTH, MAP_SHARE * place.clientWidth) / width, MAP_HEIGHT / height);
    const [wide, high] = [width * scale, height * scale].map((length) => Math.max(length, MAP_LEAST));
    svg.setAttribute("viewBox", `0 0 ${width} ${height}`);
    svg.setAttribute("width", wide);
    svg.setAttribute("height", high);
    least = [(2 * width) / wide, (2 * height) / high];
    own = high + 12;
    reserve(0);
  }

  /** Something of that height stands at the bottom instead of the map; 0: the map itself. */
  function reserve(height) {
    covered = height > 0;
    camera.reserve(height || own);
    follow();
  }

  /** The nodes as they are now; `ask()` says {boxes: [[box, parent's box or null]], current: box}. */
  function paint(ask) {
    waiting = ask;
    if (seen) draw();
  }

  function draw() {
    if (!waiting) return;
    const tree = waiting();
    edges.setAttribute("d", tree.boxes.map(([box, above]) => (above ? `M${middle(above)}L${middle(box)}` : "")).join(""));
    nodes.setAttribute("d", tree.boxes.map(([box]) => dot(box, 1)).join(""));
    current.setAttribute("d", dot(tree.current, 2.5));
    waiting = null;
  }

  /** Where the camera looks. */
  function follow() {
    const { left, top, right, bottom, width, height, partial } = camera.frame();
    if ((partial && !covered) !== seen) {
      seen = partial && !covered;
      svg.style.display = seen ? "" : "none";
      if (seen) draw();
    }
    if (!seen) return;
    const [x, y] = [Math.max(left, 0), Math.max(top, 0)];
    const size = { x, y, width: Math.max(Math.min(right, width) - x, 0), height: Math.max(Math.min(bottom, height) - y, 0) };
    for (const [name, value] of Object.entries(size)) frame.setAttribute(name, Math.round(value));
  }

  const middle = ({ left, right, top, bottom }) => `${Math.round((left + right) / 2)} ${Math.round((top + bottom) / 2)}`;

  function dot({ left, right, top, bottom }, times) {
    const width = Math.max(right - left, times * least[0]);
    const height = Math.max(bottom - top, times * least[1]);
    return `M${Math.round((left + right - width) / 2)} ${Math.round((top + bottom - height) / 2)}h${Math.round(width)}v${Math.round(height)}h${-Math.round(width)}z`;
  }

  function look(event) {
    const box = svg.getBoundingClientRect();
    const { width, height } = camera.frame();
    camera.lookAt(((event.clientX - box.left) / box.width) * width, ((event.clientY - box.top) / box.height) * height);
  }

  svg.onpointerdown = (event) => {
    if (event.button) return;
    event.stopPropagation();
    svg.setPointerCapture(event.pointerId);
    look(event);
  };
  svg.onpointermove = (event) => {
    if (svg.hasPointerCapture(event.pointerId)) look(event);
  };

  return { show, paint, follow, reserve };
}
