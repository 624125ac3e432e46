/* A table of rows as text, those of the current node lit; a click reports the row's position. */

const ROWS = new WeakMap()
const NARROW = 44 // letters that fit side by side on a phone; wider rows are stacked there

export default function ({ parentElement, data, setTriggerValue }) {
  const table = parentElement.querySelector("table")
  if (ROWS.get(parentElement) === data.key) return
  if (!ROWS.has(parentElement)) watch(table)
  ROWS.set(parentElement, data.key)
  table.style.setProperty("--accent", data.accent)
  table.dataset.wide = widthOf(data) > NARROW
  table.tHead.replaceChildren(line("th", "columnheader", ["", ...data.headings]))
  table.tBodies[0].replaceChildren(
    ...data.rows.map(([position, number, lit, cells]) => {
      const made = line("td", "cell", [number, ...cells])
      cells.forEach((_, index) => (made.cells[index + 1].dataset.name = data.headings[index]))
      made.dataset.row = position
      made.dataset.lit = lit
      made.tabIndex = -1
      made.title = data.hint
      if (lit) made.ariaCurrent = "true"
      made.onclick = () => setTriggerValue("row", position)
      made.onkeydown = (event) => {
        if (event.key === "Enter") setTriggerValue("row", position)
        const next = { ArrowDown: made.nextSibling, ArrowUp: made.previousSibling }[event.key]
        if (next) {
          event.preventDefault()
          next.focus()
        }
      }
      made.onfocus = () => {
        table.querySelector("[tabindex='0']").tabIndex = -1
        made.tabIndex = 0
      }
      return made
    }),
  )
  const first = table.tBodies[0].querySelector("[data-lit=true]") ?? table.tBodies[0].rows[0]
  if (first) first.tabIndex = 0 // the arrows up and down reach the others
}

/** The last column stays in view where the table has to be scrolled sideways. */
function watch(table) {
  const box = table.parentElement
  const sizes = new ResizeObserver(() => (table.dataset.scrolls = box.scrollWidth > box.clientWidth))
  sizes.observe(table)
  sizes.observe(box)
}

/** The letters of the widest line, if every column is as wide as its widest cell. */
function widthOf({ headings, rows }) {
  const columns = headings.map((name, index) => Math.max(name.length, ...rows.map(([, , , cells]) => cells[index].length)))
  return columns.reduce((sum, length) => sum + length + 1, 4)
}

function line(tag, role, texts) {
  const made = document.createElement("tr")
  made.setAttribute("role", "row") // said outright: a stacked row is no row to the browser
  for (const text of texts) {
    const cell = document.createElement(tag)
    cell.setAttribute("role", role)
    cell.textContent = text
    made.append(cell)
  }
  return made
}
