// How the tree is looked at: settings of the stage's own, which a link keeps.

const PACE = 1200; // ms between the steps of `play` at speed 1

/** The view and its buttons; `on.changed(name)` is told of a change by the student.
 *  orientation, granularity, hidden (names of chips), outline, levels (null: all), speed. */
function makeView(root, on) {
  const view = { orientation: "TB", granularity: "step", hidden: [], outline: false, levels: null, speed: 1 };
  const all = (name) => [...root.querySelectorAll(name)];

  function change(name, value) {
    view[name] = value;
    dress();
    on.changed(name);
  }

  /** Show in the buttons what the view is. */
  function dress() {
    root.classList.toggle("detailed", view.granularity === "detail");
    for (const choice of all("[data-granularity]")) press(choice, choice.dataset.granularity === view.granularity);
    for (const chip of all("[data-chip]")) press(chip, !view.hidden.includes(chip.dataset.chip));
    for (const outline of all("[data-outline]")) press(outline, view.outline);
    root.querySelector(".speed").value = PACE / view.speed;
  }

  const press = (button, on) => button.setAttribute("aria-pressed", on);

  for (const choice of all("[data-granularity]")) choice.onclick = () => change("granularity", choice.dataset.granularity);
  for (const chip of all("[data-chip]")) {
    const name = chip.dataset.chip;
    chip.onclick = () =>
      change("hidden", view.hidden.includes(name) ? view.hidden.filter((one) => one !== name) : [...view.hidden, name]);
  }
  for (const outline of all("[data-outline]")) outline.onclick = () => change("outline", !view.outline);
  for (const turn of all("[data-turn]")) turn.onclick = () => change("orientation", view.orientation === "TB" ? "LR" : "TB");
  root.querySelector(".speed").onchange = (event) => change("speed", PACE / Number(event.target.value));
  const more = root.querySelector(".more-tools");
  more.onclick = () => more.setAttribute("aria-expanded", more.getAttribute("aria-expanded") === "false");
  dress();

  return {
    now: view,
    change,
    /** Take a view from Python; nobody is told. */
    take(given) {
      Object.assign(view, given);
      dress();
    },
    /** Another trace than a growth says which granularities it has and what they are called; it may have none. */
    offer(names, none) {
      root.querySelector(".granularity").hidden = none && !names;
      for (const choice of all("[data-granularity]")) {
        const [label, title] = names?.[choice.dataset.granularity] ?? [];
        choice.hidden = Boolean(names) && !label;
        if (label) Object.assign(choice, { textContent: label, title });
      }
    },
    pace: () => PACE / view.speed,
    /** Put the chips and the outline on a picture. */
    dressPicture(svg, guessing) {
      for (const chip of all("[data-chip]")) svg.classList.toggle(`hide-${chip.dataset.chip}`, view.hidden.includes(chip.dataset.chip));
      svg.classList.toggle("outlined", view.outline && !guessing);
    },
  };
}
