const BRANDS = [
  ['amex', /^3[47]/],
  ['elo', /^(?:4011|4312|4389|5041|5066|5067|509|6277|6362|6363|650|6516|6550)/],
  ['hipercard', /^(?:606282|3841)/],
  ['visa', /^4/],
  ['mastercard', /^(?:5[1-5]|2[2-7])/],
]

const digitsOf = (text) => text.replace(/\D/g, '')

const isLuhn = (digits) => {
  let sum = 0
  for (let index = 0; index < digits.length; index += 1) {
    const digit = Number(digits[digits.length - 1 - index])
    const doubled = index % 2 === 1 ? digit * 2 : digit
    sum += doubled > 9 ? doubled - 9 : doubled
  }
  return sum % 10 === 0
}

/** The brand of a card number, by its first digits; `visa` for one that the simulated acquirer does not know. */
export const brandOf = (number) => BRANDS.find(([, first]) => first.test(digitsOf(number)))?.[0] ?? 'visa'

/** Whether the number has the length and the check digit of a card. */
export const isNumber = (text) => /^\d{13,19}$/.test(digitsOf(text)) && isLuhn(digitsOf(text))

/** Whether a card that is valid to the end of a month, `08/30` or `08/2030`, is valid at an instant. */
export const isExpiry = (text, now) => {
  const [, month, year] = /^(0[1-9]|1[0-2])\/?(?:20)?(\d\d)$/.exec(text.replace(/\s/g, '')) ?? []
  return month !== undefined && new Date(2_000 + Number(year), Number(month), 1) > now
}

/** Whether a text can be the code on the back (or, of American Express, the front). */
export const isCode = (text) => /^\d{3,4}$/.test(text.trim())

/** Digits in groups of four, as cards print them. */
export const grouped = (text) =>
  digitsOf(text)
    .slice(0, 19)
    .replace(/(.{4})(?=.)/g, '$1 ')

/** Digits as month and year. */
export const asExpiry = (text) => {
  const digits = digitsOf(text).slice(0, 6)
  return digits.length > 2 ? `${digits.slice(0, 2)}/${digits.slice(2)}` : digits
}

/** The month and the year, with four digits, that were typed. */
export const expiryOf = (text) => {
  const digits = digitsOf(text)
  return { expMonth: Number(digits.slice(0, 2)), expYear: 2_000 + Number(digits.slice(-2)) }
}

/** What a shop may know of a card. */
export const shownOf = (number, expiry) => ({
  brand: brandOf(number),
  last4: digitsOf(number).slice(-4),
  ...expiryOf(expiry),
})

/**
 * A token for a card: its brand, something random, month and year of its expiry and its last four digits, of which the last
 * one decides what the simulated acquirer answers. Nothing more of the number is in it.
 */
export const tokenOf = (number, expiry) => {
  const letters = [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => String.fromCharCode(97 + (byte % 26)))
  const { brand, last4, expMonth, expYear } = shownOf(number, expiry)
  const until = `${String(expMonth).padStart(2, '0')}${expYear % 100}`
  return `tok_${brand}_${letters.join('')}_${until}_${last4}`
}
