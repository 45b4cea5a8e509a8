import { asExpiry, grouped, isCode, isExpiry, isNumber, shownOf, tokenOf } from './card-checks.js'

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
  if (!wrong) {
    const given = [number.value, expiry.value]
    return send({ type: 'token', token: tokenOf(...given), ...shownOf(...given) })
  }
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

const isKnown = (origin) => parents.includes(origin) || (parents.includes('*') && origin !== 'null')

const COLOR = /^#(?:[0-9a-f]{3}){1,2}$/i
const COLORS = ['surface', 'text', 'muted', 'edge', 'accent', 'bad']
const FONT = /^[\w ,'"-]{1,120}$/

// Colours and a font that is there, nothing else: what a shop says never becomes markup, an address or a rule.
const wear = ({ dark, fontFamily, ...colors }) => {
  const { dataset, style } = document.documentElement
  if (typeof dark === 'boolean') dataset.scheme = dark ? 'dark' : 'light'
  if (FONT.test(fontFamily ?? '')) style.setProperty('--font', fontFamily)
  for (const name of COLORS) if (COLOR.test(colors[name] ?? '')) style.setProperty(`--${name}`, colors[name])
}

addEventListener('message', ({ source, origin, data }) => {
  if (source !== parent || !isKnown(origin)) return
  if (data?.type === 'card-fields:hello') {
    parentOrigin = origin
    wear(data.theme ?? {})
    send({ type: 'ready' })
    tellHeight()
  }
  if (data?.type === 'card-fields:tokenize' && parentOrigin) tokenize()
})

new ResizeObserver(tellHeight).observe(document.querySelector('main'))
