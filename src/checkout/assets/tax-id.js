// The rules of src/domain/tax-id.ts, for the browser: a test holds both against each other.

const CPF_WEIGHTS = [11, 10, 9, 8, 7, 6, 5, 4, 3, 2]
const CNPJ_WEIGHTS = [6, 5, 4, 3, 2, 9, 8, 7, 6, 5, 4, 3, 2]

const checkDigit = (values, weights) => {
  const rest = values.reduce((total, value, index) => total + value * weights[index], 0) % 11
  return rest < 2 ? 0 : 11 - rest
}

const hasCheckDigits = (text, weights) => {
  const values = [...text].map((character) => character.charCodeAt(0) - 48)
  const body = values.length - 2
  const first = checkDigit(values.slice(0, body), weights.slice(1))
  const second = checkDigit(values.slice(0, body + 1), weights)
  return values[body] === first && values[body + 1] === second
}

/** Drops the mask of a CPF or CNPJ. */
export const stripTaxId = (text) => text.replace(/[.\-/\s]/g, '').replace(/[a-z]+/g, (letters) => letters.toUpperCase())

/** A number as far as it is typed, in the form in which people write it: eleven digits as a CPF, more or letters as a CNPJ. */
export const maskedTaxId = (text) => {
  const bare = stripTaxId(text).slice(0, 14)
  const [parts, ends] = /^\d{0,11}$/.test(bare) ? [[3, 3, 3, 2], '..-'] : [[2, 3, 3, 4, 2], '../-']
  let from = 0
  return parts
    .map((length, index) => {
      const part = bare.slice(from, from + length)
      from += length
      return bare.length > from ? part + (ends[index] ?? '') : part
    })
    .join('')
}

/** Whether a text is a CPF or a CNPJ, numeric or alphanumeric, with right check digits. */
export const isTaxId = (text) => {
  const bare = stripTaxId(text)
  if (new Set(bare).size < 2) return false
  if (/^\d{11}$/.test(bare)) return hasCheckDigits(bare, CPF_WEIGHTS)
  return /^[0-9A-Z]{12}\d{2}$/.test(bare) && hasCheckDigits(bare, CNPJ_WEIGHTS)
}
