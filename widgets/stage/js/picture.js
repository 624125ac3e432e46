// The SVG from the storyboard, made harmless before it joins the page. The drawing in Python escapes
// names already; this is the second lock. Only what a tree needs is let through.

const SVG_NAMESPACE = "http://www.w3.org/2000/svg";
const DRAWABLE = new Set([
  "svg", "g", "path", "rect", "circle", "ellipse", "line", "polyline", "polygon", "text", "tspan", "title", "desc",
  "defs", "pattern", "clipPath",
]);
const OWN_REFERENCE = /^url\(#[\w-]+\)$/;

/** An `<svg>` element from text, with everything dropped that could load or run anything. */
function parsePicture(text) {
  const parsed = new DOMParser().parseFromString(text, "image/svg+xml").documentElement;
  if (parsed.localName !== "svg" || parsed.namespaceURI !== SVG_NAMESPACE) throw new Error("The tree's picture is not an SVG.");
  clean(parsed);
  return document.importNode(parsed, true);
}

function clean(node) {
  for (const child of [...node.children]) {
    const known = child.namespaceURI === SVG_NAMESPACE && DRAWABLE.has(child.localName);
    if (known) clean(child);
    else child.remove();
  }
  for (const { name, value } of [...node.attributes]) {
    if (!isHarmless(name.toLowerCase(), value)) node.removeAttribute(name);
  }
}

function isHarmless(name, value) {
  if (name.startsWith("on") || name === "href" || name.endsWith(":href")) return false;
  const reaches = /url\s*\(|javascript:|expression\s*\(|@import|\\/i.test(value);
  if (name === "style") return !reaches;
  return name.startsWith("data-") || !reaches || OWN_REFERENCE.test(value.trim());
}

/** The storyboard's own style sheet, refused whole if it could reach outside. */
function harmlessStyle(text) {
  return /@import|url\s*\((?!\s*#)|<|expression\s*\(/i.test(text) ? "" : text;
}

function drawn(tag, attributes) {
  const made = document.createElementNS(SVG_NAMESPACE, tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  return made;
}
