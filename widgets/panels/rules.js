/* Rules that lose their conditions step by step, in the browser alone. Text is only ever set as text. */

const SHOWN = new WeakMap()
const MOVES = { ArrowLeft: (k) => k - 1, ArrowRight: (k) => k + 1, Home: () => 0, End: () => Infinity }

export default function ({ parentElement, data }) {
  if (SHOWN.get(parentElement) === data.key) return
  SHOWN.set(parentElement, data.key)
  const story = JSON.parse(data.story)
  const find = (name) => parentElement.querySelector(`[data-testid="rules-${name}"]`)
  const root = parentElement.querySelector(".ruleset")
  const range = find("position")
  const last = story.sentences.length - 1
  let step = 0

  const go = (to) => {
    step = Math.min(Math.max(to, 0), last)
    draw(root, find, story, step, go)
    range.value = step
    range.style.setProperty("--done", last ? step / last : 1)
    range.setAttribute("aria-valuetext", story.sentences[step])
    find("count").textContent = `${step} of ${last}`
    for (const name of ["first", "previous"]) find(name).disabled = step === 0
    for (const name of ["next", "last"]) find(name).disabled = step === last
  }
  range.max = last
  range.oninput = () => go(Number(range.value))
  find("first").onclick = () => go(0)
  find("previous").onclick = () => go(step - 1)
  find("next").onclick = () => go(step + 1)
  find("last").onclick = () => go(last)
  // What has the focus here steps the rules, not the tree.
  root.onkeydown = (event) => {
    if (!(event.key in MOVES) || event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return
    event.preventDefault()
    go(MOVES[event.key](step))
  }
  go(0)
}

function draw(root, find, story, step, go) {
  const last = story.sentences.length - 1
  const current = story.rule[step]
  root.dataset.end = step === last
  find("sentence").textContent = story.sentences[step]
  const list = find("list")
  const lines = step === last ? ordered(story) : story.rules.map((rule, number) => state(story, rule, number, step, go))
  list.querySelector("tbody").replaceChildren(...lines)
  const lit = list.querySelector(".current")
  // Scrolled within the list: the page stays where it is.
  if (lit) list.scrollTop += lit.offsetTop - list.scrollTop - (list.clientHeight - lit.offsetHeight) / 2
  else list.scrollTop = 0
  evidence(find("evidence"), story, step, current)
}

/** A rule as it stands at a step: dropped conditions struck out, its numbers, and how it ended. */
function state(story, rule, number, step, go) {
  const drops = rule.dropped.filter((at) => at !== null && at <= step).length
  const ended = step >= rule.last ? rule.end : ""
  const line = element("tr", "")
  line.className = [story.rule[step] === number ? "current" : "", ended].join(" ")
  line.dataset.rule = number + 1
  line.onclick = () => go(rule.first)
  const words = element("td", "")
  words.append(rule.conditions.length ? story.words.if : story.words.always)
  rule.conditions.forEach((condition, place) => {
    if (place) words.append(element("span", story.words.and, "joint"))
    words.append(element(gone(rule, place, step) ? "del" : "span", condition, "condition"))
  })
  words.append(rule.conditions.length ? story.words.then : "", answer(`${story.target} is ${rule.answer}`, rule.colour))
  if (ended === "duplicate" || ended === "emptied") words.append(element("span", story.words[ended], "note"))
  const numbers = rule.numbers[Math.min(drops, rule.numbers.length - 1)]
  line.append(element("th", String(number + 1)), words, ...numbers.map((text) => element("td", text)))
  return line
}

function gone(rule, place, step) {
  return rule.dropped[place] !== null && rule.dropped[place] <= step
}

/** The rules at the end, in their order, and the default. */
function ordered(story) {
  const lines = story.order.map(([number, words]) => {
    const rule = story.rules[number]
    const line = element("tr", "")
    line.dataset.rule = number + 1
    const cell = element("td", "")
    cell.append(story.words.if, element("span", words, "condition"), story.words.then)
    cell.append(answer(`${story.target} is ${rule.answer}`, rule.colour))
    line.append(element("th", String(number + 1)), cell, ...rule.numbers.at(-1).map((text) => element("td", text)))
    return line
  })
  const line = element("tr", "")
  line.className = "default"
  const cell = element("td", "")
  cell.append(lines.length ? story.words.else : story.words.always, answer(story.default, story.default_colour))
  line.append(element("th", ""), cell, element("td", ""), element("td", ""), element("td", ""))
  return [...lines, line]
}

/** What the rule would be without each of its conditions. */
function evidence(box, story, step, current) {
  const rows = story.rows[step]
  box.querySelector(".heading").textContent = rows.length ? story.words.heading.replace("{rule}", current + 1) : ""
  box.querySelector(".worked").textContent = story.worked[step]
  box.querySelector("table").hidden = !rows.length
  const rule = story.rules[current]
  box.querySelector("tbody").replaceChildren(
    ...rows.map(([place, covered, wrong, text, value]) => {
      const line = element("tr", "")
      const chosen = place >= 0 && rule.dropped[place] === step
      line.className = place < 0 ? "whole" : chosen ? "chosen" : ""
      const estimate = element("td", chosen ? `${text} ${story.words.dropped}` : text, "bar")
      estimate.style.setProperty("--share", value)
      const name = place < 0 ? story.words.whole : rule.conditions[place]
      line.append(element("th", name), element("td", covered), element("td", wrong), estimate)
      return line
    }),
  )
}

function answer(text, colour) {
  const made = element("b", text, "answer")
  made.style.setProperty("--class", colour)
  return made
}

function element(tag, text, name) {
  const made = document.createElement(tag)
  if (tag === "th") made.scope = "row"
  if (name) made.className = name
  made.textContent = text
  return made
}
