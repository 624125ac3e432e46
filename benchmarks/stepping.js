// Watches one page: how long from a key to the painted stage, and when the panels last changed.
() => {
  const seen = { painted: [], followed: {} };
  const channel = new MessageChannel();
  const waiting = [];
  channel.port1.onmessage = () => waiting.shift()();
  const afterPaint = (then) => requestAnimationFrame(() => { waiting.push(then); channel.port2.postMessage(0); });

  const find = (id, root = document) => {
    const found = root.querySelector(`[data-testid="${id}"]`);
    if (found) return found;
    for (const element of root.querySelectorAll("*")) {
      const inside = element.shadowRoot && find(id, element.shadowRoot);
      if (inside) return inside;
    }
    return null;
  };
  const position = find("stepper-position");
  const stage = position.getRootNode();
  const shown = () => ({
    step: Number(position.value),
    sentence: find("narration", stage).textContent,
    current: stage.querySelector("[data-state='current']")?.dataset.node,
  });

  addEventListener("keydown", (event) => {
    const before = shown();
    const start = event.timeStamp;
    afterPaint(() => {
      const after = shown();
      seen.painted.push({ ms: performance.now() - start, from: before.step, to: after.step, sentence: after.sentence });
      seen.key = start;
    });
  }, true);

  for (const panel of ["evidence", "regions", "rows"]) {
    new MutationObserver(() => { seen.followed[panel] = performance.now(); })
      .observe(document.querySelector(`.st-key-${panel}`), { childList: true, subtree: true, characterData: true, attributes: true });
  }
  window.espalierSeen = seen;
  window.espalierShown = shown;
}
