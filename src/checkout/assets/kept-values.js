const KEY = 'checkout'
const NAMES = ['name', 'document', 'email', 'amount', 'installments']

// Where a browser keeps nothing, it is typed again.
const tolerant = (work) => {
  try {
    return work()
  } catch {
    return undefined
  }
}

/** Keeps what was typed in this tab, and nowhere else, until a payment is paid: a declined card comes back to it. */
export const keepValues = (form) => {
  const fields = NAMES.filter((name) => form.elements[name] && form.elements[name].type !== 'hidden')
  const values = fields.map((name) => [name, form.elements[name].value])
  tolerant(() => sessionStorage.setItem(KEY, JSON.stringify({ form: form.action, values })))
}

/** Fills what was kept of this form into its empty fields. */
export const fillValues = (form) => {
  const kept = tolerant(() => JSON.parse(sessionStorage.getItem(KEY)))
  if (kept?.form !== form.action) return
  for (const [name, value] of kept.values) {
    const field = form.elements[name]
    const isOffered = !field?.options || [...field.options].some((option) => option.value === value)
    if (field && isOffered && (field.options || field.value === '')) field.value = value
  }
}

export const forgetValues = () => tolerant(() => sessionStorage.removeItem(KEY))
