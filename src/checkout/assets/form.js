import { createCardFrame } from './card-frame.js'
import { checkWhileTyped, forgiveUnneeded, tell, wrongFields } from './form-checks.js'
import { writeAmounts } from './installments.js'
import { fillValues, keepValues } from './kept-values.js'
import { whenReleased } from './pressing.js'
import { swapMain } from './swap.js'

const REFUSED_UNREAD = 429
const SERVER_FAULT = 500

const item = (input) => {
  const link = document.createElement('a')
  link.href = `#${input.id}`
  link.textContent = document.getElementById(`${input.id}-error`).textContent
  const entry = document.createElement('li')
  entry.append(link)
  return entry
}

const showProblem = (form, title, ...content) => {
  const box = form.querySelector('#errors')
  const heading = document.createElement('h2')
  heading.textContent = title
  box.replaceChildren(heading, ...content)
  box.hidden = false
  box.focus()
}

const showErrors = (form, inputs) => showProblem(form, form.querySelector('#errors').dataset.title, list(inputs))

const paragraph = (text) => {
  const element = document.createElement('p')
  element.textContent = text
  return element
}

const list = (inputs) => {
  const element = document.createElement('ul')
  element.append(...inputs.map(item))
  return element
}

const setBusy = (form, isBusy) => {
  const button = form.querySelector('[type="submit"]')
  button.setAttribute('aria-busy', String(isBusy))
  button.setAttribute('aria-disabled', String(isBusy))
}

// The summary goes with the last error that it lists; what concerns the whole stays until the next press.
const tidySummary = (form) => {
  const box = form.querySelector('#errors')
  for (const link of box.querySelectorAll('li a')) {
    if (document.querySelector(`${link.hash}-error`)?.hidden !== false) link.parentElement.remove()
  }
  if (box.querySelector('ul') && !box.querySelector('li, p')) box.hidden = true
}

const offerRetry = (form, title, text, again) => {
  const retry = document.createElement('button')
  retry.type = 'button'
  retry.className = 'button'
  retry.textContent = form.dataset.retry
  retry.addEventListener('click', again)
  showProblem(form, title, paragraph(text), retry)
}

const showOffline = (form, again) => offerRetry(form, form.dataset.offlineTitle, form.dataset.offline, again)

// What the server says of itself, without losing what was typed.
const showFault = (form, markup, again) => {
  const said = new DOMParser().parseFromString(markup, 'text/html')
  const [title, text] = ['main h1', 'main h1 + p'].map((place) => said.querySelector(place)?.textContent)
  if (title && text) offerRetry(form, title, text, again)
  else showOffline(form, again)
}

/** Makes a form answer without leaving the page. Without this it is a plain form that does the same. */
export const setUpForm = (form, setUp) => {
  const box = form.querySelector('[data-card-fields]')
  const card = box ? createCardFrame(box) : undefined
  const cardField = form.querySelector('#card')
  const isCard = () => card !== undefined && form.elements.method.value === 'credit_card'
  let isBusy = false

  // The same attempt once more: whatever became of the first, it is paid once.
  const again = () => void run(send)

  const send = async () => {
    let response
    let markup
    try {
      response = await fetch(form.action, { method: 'POST', body: new URLSearchParams(new FormData(form)) })
      markup = await response.text()
    } catch {
      return showOffline(form, again)
    }
    if (response.redirected) {
      location.assign(response.url)
      // Stays busy until the next page is there.
      return new Promise(() => undefined)
    }
    if (response.status === REFUSED_UNREAD || response.status >= SERVER_FAULT) return showFault(form, markup, again)
    const main = swapMain(markup)
    if (main) setUp(main)
    else showFault(form, markup, again)
  }

  const tokenThenSend = async () => {
    tell(cardField, '')
    if (!card.isReady()) {
      tell(cardField, form.dataset.cardRequired)
      return showErrors(form, [cardField])
    }
    const token = await card.tokenize()
    // The frame has the focus now, on the field to mend.
    if (token === undefined) return
    form.elements.cardToken.value = token
    return send()
  }

  const run = async (work) => {
    if (isBusy) return
    isBusy = true
    setBusy(form, true)
    await work()
    isBusy = false
    setBusy(form, false)
  }

  form.addEventListener('submit', (event) => {
    event.preventDefault()
    if (isBusy) return
    const wrong = wrongFields(form)
    if (wrong.length > 0) return showErrors(form, wrong)
    form.querySelector('#errors').hidden = true
    keepValues(form)
    void run(isCard() ? tokenThenSend : send)
  })

  const showCard = () => {
    if (isCard()) card.show()
  }
  // What the server found wrong with a choice is mended by choosing again.
  const choose = ({ target: { name, form: own } }) => {
    if (name === 'method') {
      forgiveUnneeded(form)
      tell(form.querySelector('#method'), '')
    }
    if (name === 'installments') tell(own.elements.installments, '')
    showCard()
  }
  form.addEventListener('change', choose)
  for (const name of ['input', 'change']) form.addEventListener(name, () => whenReleased(() => tidySummary(form)))
  fillValues(form)
  showCard()
  checkWhileTyped(form)
  writeAmounts(form)
  const errors = form.querySelector('#errors')
  if (!errors.hidden) errors.focus()
}
