import { asExpiry, grouped, isCode, isExpiry, isNumber, tokenOf } from './card-checks.js'

const parents = document.body.dataset.parents.split(' ')
const [number, expiry, code] = ['number', 'expiry', 'code'].map((id) => document.getElementById(id))

const CHECKS = new Map([
  [number, isNumber],
  [expiry, (text) => isExpiry(text, new Date())],
  [code, isCode],
])

let parentOrigin

const send = (message) => {
  if (parentOrigin) parent.postMessage({ ...message, type: `card-fields:${message.type}` }, parentOrigin)
}

const tellHeight = () => send({ type: 'height', height: Math.ceil(document.querySelector('main').scrollHeight) })

const tell = (input, isWrong) => {
  const error = document.getElementById(`${input.id}-error`)
  error.textContent = isWrong ? input.dataset.complaint : ''
  error.hidden = !isWrong
  if (isWrong) input.setAttribute('aria-invalid', 'true')
  else input.removeAttribute('aria-invalid')
  tellHeight()
}

const isRight = (input) => CHECKS.get(input)(input.value)

const tokenize = () => {
  const inputs = [...CHECKS.keys()]
  for (const input of inputs) tell(input, !isRight(input))
  const wrong = inputs.find((input) => !isRight(input))
  if (!wrong) return send({ type: 'token', token: tokenOf(number.value) })
  wrong.focus()
  return send({ type: 'invalid' })
}

// Typing in the middle moves no cursor: a value is only put in order when its end is typed.
const keepInOrder = (input, order) => {
  input.addEventListener('input', (event) => {
    const isAtEnd = input.selectionEnd === input.value.length
    if (isAtEnd && event.inputType !== 'deleteContentBackward') input.value = order(input.value)
  })
}

keepInOrder(number, grouped)
keepInOrder(expiry, asExpiry)
for (const input of CHECKS.keys()) {
  input.addEventListener('change', () => tell(input, input.value !== '' && !isRight(input)))
  input.addEventListener('input', () => {
    if (input.getAttribute('aria-invalid') === 'true' && isRight(input)) tell(input, false)
  })
}

addEventListener('message', ({ source, origin, data }) => {
  if (source !== parent || !parents.includes(origin)) return
  if (data?.type === 'card-fields:hello') {
    parentOrigin = origin
    send({ type: 'ready' })
    tellHeight()
  }
  if (data?.type === 'card-fields:tokenize' && parentOrigin) tokenize()
})

new ResizeObserver(tellHeight).observe(document.querySelector('main'))
