// A plotly chart for each key. A new figure is drawn into the chart that is there, once.
// A chart whose place on the page goes away waits here, drawn, until its key is mounted again.

const charts = new Map(); // by key, those that came last at the end
const WAITING = 12; // charts without a place that are kept

export default function ({ parentElement, data, setTriggerValue }) {
  const { header, figure } = readData(data);
  const chart = charts.get(header.chart) ?? makeChart();
  charts.delete(header.chart);
  charts.set(header.chart, chart);
  chart.report = header.clicks ? (point) => setTriggerValue("point", point) : null;
  chart.show(parentElement, header, figure);
  return () => {
    chart.leave(parentElement);
    forgetOldest();
  };
}

function forgetOldest() {
  const waiting = [...charts].filter(([, chart]) => !chart.placed());
  for (const [key, chart] of waiting.slice(0, -WAITING)) {
    chart.forget();
    charts.delete(key);
  }
}

/** The first line of the data says what the chart shows; the figure itself is the rest, deflated. */
function readData(bytes) {
  const end = bytes.indexOf(10);
  const header = JSON.parse(new TextDecoder().decode(bytes.subarray(0, end)));
  return { header, figure: () => inflated(bytes.subarray(end + 1)) };
}

/** Chunk by chunk: a Response would wait for other work between them. */
async function inflated(bytes) {
  const stream = new DecompressionStream("deflate");
  const writer = stream.writable.getWriter();
  const written = writer.write(bytes).then(() => writer.close());
  const decoder = new TextDecoder();
  let text = "";
  for (const reader = stream.readable.getReader(); ; ) {
    const { value, done } = await reader.read();
    if (done) break;
    text += decoder.decode(value, { stream: true });
  }
  await written;
  return JSON.parse(text + decoder.decode());
}

function makeChart() {
  const host = element("div", "espalier-chart");
  const plot = host.appendChild(element("div", "espalier-chart-plot"));
  const words = host.appendChild(element("p", "espalier-chart-words"));
  const chart = { show, leave, forget, placed: () => host.parentElement !== null, report: null };
  let header = {};
  let figure = null; // what is to be seen
  let drawn = {}; // what is: figure, width and height
  let plotly = null;
  let near = false; // whether it is on the screen, or almost

  host.setAttribute("role", "figure");
  host.dataset.testid = "chart";
  host.dataset.drawn = "false";
  const observers = [new ResizeObserver(() => draw()), new IntersectionObserver(look, { rootMargin: "64px" })];
  for (const observer of observers) observer.observe(host);
  const print = () => draw(true);
  addEventListener("beforeprint", print);

  async function show(parent, said, read) {
    const same = header.figure === said.figure && figure !== null;
    header = said;
    host.setAttribute("aria-label", said.alt);
    host.style.height = `${said.height}px`;
    if (host.parentElement !== parent) {
      // What was drawn for another place is not shown before the new figure stands.
      if (!same) host.dataset.drawn = "false";
      parent.append(host);
    }
    if (same) return draw();
    try {
      const [library, next] = await Promise.all([loadPlotly(said.library), read()]);
      if (header.figure !== said.figure) return; // another figure has come since
      [plotly, figure] = [library, next];
      draw();
    } catch (error) {
      console.error(error);
      words.textContent = said.alt; // without plotly.js the picture is told in words
    }
  }

  function look(entries) {
    near = entries.at(-1).isIntersecting;
    draw();
  }

  /** Draws where there is something to draw and it is seen; else an observer calls again. */
  function draw(anyway = near) {
    const [width, height] = [host.clientWidth, header.height];
    if (!figure || !width) return;
    if (drawn.figure !== figure || drawn.width !== width || drawn.height !== height) {
      host.dataset.drawn = String(anyway); // an old picture that is scrolled to is not shown
      if (!anyway) return;
      drawn = { figure, width, height };
      plotly.react(plot, figure.data, { ...figure.layout, width, height, autosize: false }, header.config);
      plot.removeAllListeners("plotly_click");
      plot.on("plotly_click", clicked);
      words.textContent = "";
    }
    host.dataset.drawn = "true";
  }

  function clicked(event) {
    const said = event.points[0]?.customdata;
    if (said !== undefined) chart.report?.(Array.from(said));
  }

  function leave(parent) {
    if (host.parentElement === parent) host.remove();
  }

  function forget() {
    for (const observer of observers) observer.disconnect();
    removeEventListener("beforeprint", print);
    plotly?.purge(plot);
  }

  return chart;
}

function element(tag, name) {
  const made = document.createElement(tag);
  made.className = name;
  return made;
}

// ---- plotly.js ----

let loading = null;

/** Loaded once. Its address names the version, so a copy that the browser has kept is never too old. */
function loadPlotly(address) {
  loading ??= fetchPlotly(address).catch((error) => {
    loading = null; // the next figure asks again
    throw error;
  });
  return loading;
}

async function fetchPlotly(address) {
  const answer = await fetch(new URL(address, appAddress()), { cache: "force-cache" });
  if (!answer.ok) throw new Error(`plotly.js was not found: ${answer.status}`);
  const script = document.createElement("script");
  script.textContent = await answer.text();
  document.head.append(script);
  script.remove();
  return window.Plotly;
}

/** Where the app is served, behind a base URL too: the page's own scripts lie in static/js. */
function appAddress() {
  const script = document.querySelector("script[src*='static/js/']");
  return script ? new URL("../../", script.src) : document.baseURI;
}
