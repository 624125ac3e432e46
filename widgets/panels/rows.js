/* A table of rows as text, those of the current node lit; a click reports the row's position. */

const ROWS = new WeakMap()

export default function ({ parentElement, data, setTriggerValue }) {
  const table = parentElement.querySelector("table")
  if (ROWS.get(parentElement) === data.key) return
  ROWS.set(parentElement, data.key)
  table.style.setProperty("--accent", data.accent)
  table.tHead.replaceChildren(line("th", ["", ...data.headings]))
  table.tBodies[0].replaceChildren(
    ...data.rows.map(([position, number, lit, cells]) => {
      const made = line("td", [number, ...cells])
      made.dataset.row = position
      made.dataset.lit = lit
      made.tabIndex = 0
      made.title = data.hint
      made.onclick = () => setTriggerValue("row", position)
      made.onkeydown = (event) => {
        if (event.key === "Enter") setTriggerValue("row", position)
      }
      return made
    }),
  )
}

function line(tag, texts) {
  const made = document.createElement("tr")
  for (const text of texts) {
    const cell = document.createElement(tag)
    cell.textContent = text
    made.append(cell)
  }
  return made
}
