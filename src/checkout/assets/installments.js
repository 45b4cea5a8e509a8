import { typedAmount } from './form-checks.js'

const partsOf = (amount, count) => {
  const each = Math.trunc(amount / count)
  return { each, first: amount - each * (count - 1) }
}

/** Writes the amount on the button and, for a card, what each part comes to: as it is typed, or as the link has it. */
export const writeAmounts = (form) => {
  const { dataset, elements } = form
  const { amount: field, installments } = elements
  const money = new Intl.NumberFormat(dataset.locale, { style: 'currency', currency: 'BRL' })
  const written = (centavos) => money.format(centavos / 100)
  const isChosen = field.type !== 'hidden'

  const optionText = (amount, count) =>
    (count === 1 ? dataset.once : dataset.times)
      .replace('{count}', String(count))
      .replace('{each}', written(partsOf(amount, count).each))
      .replace('{total}', written(amount))

  const noteText = (amount, count) => {
    if (!amount || count === 1) return ''
    const { each, first } = partsOf(amount, count)
    const parts = first === each ? '' : `${dataset.firstPart.replace('{first}', written(first))} `
    return parts + dataset.partsTotal.replace('{total}', written(amount))
  }

  const writeParts = (amount) => {
    if (isChosen && amount) {
      for (const option of installments.options) option.textContent = optionText(amount, Number(option.value))
    }
    document.getElementById('installments-note').textContent = noteText(amount, Number(installments.value))
  }

  const write = () => {
    const amount = typedAmount(field.value)
    if (isChosen) form.querySelector('[data-sum]').textContent = amount ? written(amount) : ''
    if (installments) writeParts(amount)
  }

  form.addEventListener('input', write)
  write()
}
