const field = document.querySelector('#q')
const results = document.querySelector('#results')
const guides = document.querySelector('#guides')
const data = document.querySelector('#sections')

const LETTERS_AROUND = 90
const RESULTS_MAX = 20

const folded = (text) => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()

const excerpt = (text, word) => {
  const at = Math.max(0, folded(text).indexOf(word) - LETTERS_AROUND)
  return `${at > 0 ? '…' : ''}${text.slice(at, at + 2 * LETTERS_AROUND)}…`
}

const item = ({ guide, title, url, text }, word) => {
  const link = Object.assign(document.createElement('a'), { href: url, textContent: `${guide}: ${title}` })
  const line = document.createElement('li')
  line.append(link, document.createElement('br'), excerpt(text, word))
  return line
}

const rank = ({ title }, words) => words.filter((word) => folded(title).includes(word)).length

const show = (sections) => {
  const words = folded(field.value).split(/\s+/).filter(Boolean)
  const found = sections
    .filter(({ text, title }) => words.every((word) => folded(`${title} ${text}`).includes(word)))
    .toSorted((first, second) => rank(second, words) - rank(first, words))
    .slice(0, RESULTS_MAX)
  results.hidden = words.length === 0
  guides.hidden = words.length > 0
  results.replaceChildren(...found.map((section) => item(section, words[0])))
  if (found.length === 0) results.append(Object.assign(document.createElement('li'), { textContent: 'Nothing found.' }))
}

// Only the page of all guides has the texts: elsewhere the form leads there.
if (data) {
  const sections = JSON.parse(data.textContent)
  field.value = new URLSearchParams(location.search).get('q') ?? ''
  field.addEventListener('input', () => show(sections))
  field.form.addEventListener('submit', (event) => event.preventDefault())
  show(sections)
}
