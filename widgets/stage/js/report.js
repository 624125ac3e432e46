// What the server is told: a single press at once, presses that follow closely gathered, the last one always.

const GATHER = 120; // ms
const GENTLE = 1000; // ms between reports while playing

/** Reports through `send(name, value)`, which is replaced whenever Streamlit renews the component. */
function makeReporter() {
  const last = {};
  let timer = 0;
  let pending = null;
  let pressedAt = -Infinity;
  let sentAt = -Infinity;
  const reporter = { send: () => {}, now, correct, position, flush, stop };

  /** Tell a value at once, unless it is the one that was told last. */
  function now(name, value) {
    const text = JSON.stringify(value);
    if (last[name] === text) return;
    last[name] = text;
    reporter.send(name, value);
  }

  /** Tell a value that was changed from outside, if the server still has another one from here. */
  function correct(name, value) {
    if (name === "position") pending = null;
    if (name in last) now(name, value);
  }

  function position(step, gently) {
    const time = performance.now();
    const since = time - (gently ? sentAt : pressedAt);
    pressedAt = time;
    pending = step;
    if (timer && gently) return;
    clearTimeout(timer);
    timer = 0;
    const wait = gently ? GENTLE : GATHER;
    if (since >= wait) flush();
    else timer = setTimeout(flush, gently ? wait - since : wait);
  }

  function flush() {
    clearTimeout(timer);
    timer = 0;
    if (pending === null) return;
    sentAt = performance.now();
    now("position", pending);
    pending = null;
  }

  function stop() {
    clearTimeout(timer);
  }

  return reporter;
}
