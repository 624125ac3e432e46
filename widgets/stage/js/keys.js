// Keys step wherever the focus is, unless what has the focus uses them itself.

const KEY_MOVES = { ArrowRight: "next", ArrowLeft: "previous", Home: "first", End: "last", " ": "play" };

const USES_KEYS = [
  "textarea", "select", "[contenteditable]:not([contenteditable=false])", "canvas", "table", "iframe", "video", "audio",
  "input:not([type=button]):not([type=submit]):not([type=checkbox]):not([type=image]):not([type=reset])",
  ...["textbox", "searchbox", "combobox", "listbox", "option", "slider", "spinbutton", "radio", "radiogroup", "tab", "tablist",
    "menu", "menubar", "menuitem", "grid", "gridcell", "tree", "treegrid", "treeitem", "dialog"].map((role) => `[role=${role}]`),
].join(",");

const PRESSED_BY_SPACE = "button, summary, a[href], input[type=checkbox], [role=button], [role=checkbox], [role=switch], label";

/** What a key press asks of the stage: a name of `KEY_MOVES`, or null. */
function moveOf(event, root) {
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || event.shiftKey || event.isComposing) return null;
  const move = KEY_MOVES[event.key];
  if (!move) return null;
  const path = event.composedPath().filter((one) => one instanceof Element);
  const inside = path.indexOf(root) >= 0 ? path.slice(0, path.indexOf(root)) : null;
  if (event.key === " " && (event.repeat || path[0]?.matches(PRESSED_BY_SPACE) || path[0]?.closest("button"))) return null;
  if (inside) return inside[0]?.matches("select") ? null : move;
  return path.some((one) => one.matches(USES_KEYS)) ? null : move;
}

// With several stages on a page the keys go to the one that was touched last, else to the first.
const mounted = [];
let touched = null;

function listenToKeys(root, act) {
  const stage = { root };
  mounted.push(stage);
  const pressed = (event) => {
    if ((touched ?? mounted[0]) !== stage) return;
    const move = moveOf(event, root);
    if (!move) return;
    event.preventDefault();
    act(move);
  };
  const touch = () => (touched = stage);
  window.addEventListener("keydown", pressed);
  root.addEventListener("pointerdown", touch);
  root.addEventListener("focusin", touch);
  return () => {
    window.removeEventListener("keydown", pressed);
    mounted.splice(mounted.indexOf(stage), 1);
    if (touched === stage) touched = null;
  };
}
