import { whenReleased } from './pressing.js'
import { isTaxId, maskedTaxId, stripTaxId } from './tax-id.js'

/** Centavos of an amount as people type it, as src/checkout/formats.ts reads it, or undefined. */
export const typedAmount = (text) => {
  const typed = text.replace(/^R\$/, '').replace(/\s/g, '')
  const [, whole = '', cents = ''] = /^([\d.,]*?)(?:[.,](\d{1,2}))?$/.exec(typed) ?? []
  const isGrouped = /^\d{1,3}(?:([.,])\d{3})(?:\1\d{3})*$/.test(whole)
  if (!/^\d{1,13}$/.test(whole) && !isGrouped) return undefined
  return Number(whole.replace(/[.,]/g, '') + cents.padEnd(2, '0'))
}

const isWithin = (input) => {
  const { min, max } = input.closest('[data-min]').dataset
  const amount = typedAmount(input.value)
  if (amount === undefined || amount === 0) return false
  return (min === '' || amount >= Number(min)) && (max === '' || amount <= Number(max))
}

const CHECKS = {
  amount: isWithin,
  name: ({ value }) => value.trim() !== '',
  document: ({ value }) => isTaxId(value),
  email: ({ value }) => /^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(value.trim()),
}

const NEEDED = { pix: [], boleto: ['name', 'document'], credit_card: ['name', 'document', 'email'] }

const errorOf = (input) => document.getElementById(`${input.id}-error`)

/** Says beside a field what is wrong with it, or nothing any more. */
export const tell = (field, complaint) => {
  const error = errorOf(field)
  error.textContent = complaint
  error.hidden = complaint === ''
  if (!field.matches('input')) return
  if (complaint === '') field.removeAttribute('aria-invalid')
  else field.setAttribute('aria-invalid', 'true')
}

const complaintOf = (form, input) => {
  if (input.name === 'document' && input.value.trim() === '') return form.dataset.documentRequired
  return CHECKS[input.name](input) ? '' : input.dataset.complaint
}

/** The fields that the chosen method needs and that are wrong, with their complaints shown. */
export const wrongFields = (form) => {
  const needed = ['amount', ...(NEEDED[form.elements.method.value] ?? [])]
  const inputs = needed.map((name) => form.elements[name]).filter((input) => input?.type !== 'hidden' && input)
  for (const input of inputs) tell(input, complaintOf(form, input))
  return inputs.filter((input) => input.getAttribute('aria-invalid') === 'true')
}

// A number that has all its characters can be judged; one that is still growing cannot.
const isWhole = ({ name, value }) => name === 'document' && [11, 14].includes(stripTaxId(value).length)

/** Drops the complaints about fields that the chosen method does not ask for. */
export const forgiveUnneeded = (form) => {
  const needed = ['amount', ...(NEEDED[form.elements.method.value] ?? [])]
  for (const name of Object.keys(CHECKS)) {
    const input = form.elements[name]
    if (input && input.type !== 'hidden' && !needed.includes(name)) tell(input, '')
  }
}

// Typing in the middle moves no cursor: the number is only put in order when its end is typed.
const maskDocument = ({ elements: { document: input } }) =>
  input?.addEventListener('input', ({ inputType }) => {
    const isAtEnd = input.selectionEnd === input.value.length
    if (isAtEnd && !inputType?.startsWith('delete')) input.value = maskedTaxId(input.value)
  })

/** Checks fields while they are typed: a wrong one is told when it is left, and forgiven as soon as it is right. */
export const checkWhileTyped = (form) => {
  maskDocument(form)
  for (const name of Object.keys(CHECKS)) {
    const input = form.elements[name]
    if (!input || input.type === 'hidden') continue
    const judge = () => input.isConnected && tell(input, input.value === '' ? '' : complaintOf(form, input))
    input.addEventListener('change', () => whenReleased(judge))
    input.addEventListener('input', () => {
      const wasWrong = input.getAttribute('aria-invalid') === 'true'
      if (CHECKS[name](input)) tell(input, '')
      // Eleven characters are a CPF, or the beginning of a CNPJ with letters or of a longer one.
      else if (wasWrong || (isWhole(input) && stripTaxId(input.value).length === 14)) judge()
    })
  }
}
