const CNPJ_WEIGHTS = [6, 5, 4, 3, 2, 9, 8, 7, 6, 5, 4, 3, 2] as const

const checkDigit = (values: readonly number[], weights: readonly number[]): number => {
  const sum = values.reduce((total, value, index) => total + value * (weights[index] ?? 0), 0)
  const rest = sum % 11
  return rest < 2 ? 0 : 11 - rest
}

// The value of a character is its ASCII code less 48, for digits and letters alike (IN RFB 2.229/2024).
const valuesOf = (text: string): number[] => [...text].map((character) => character.charCodeAt(0) - 48)

const allEqual = (text: string): boolean => new Set(text).size === 1

/** Drops the mask (dots, slashes, dashes, spaces) and upper-cases: how tax numbers are stored. */
export const stripTaxId = (text: string): string =>
  // ASCII letters only: others upper-case to letters that nobody typed (ı to I, ſ to S).
  text.replace(/[.\-/\s]/g, '').replace(/[a-z]+/g, (letters) => letters.toUpperCase())

/** Whether eleven digits are a CPF with right check digits. */
export const isCpf = (text: string): boolean => {
  if (!/^\d{11}$/.test(text) || allEqual(text)) return false
  const values = valuesOf(text)
  const first = checkDigit(values.slice(0, 9), [10, 9, 8, 7, 6, 5, 4, 3, 2])
  const second = checkDigit(values.slice(0, 10), [11, 10, 9, 8, 7, 6, 5, 4, 3, 2])
  return values[9] === first && values[10] === second
}

/** Whether fourteen characters are a CNPJ, numeric or alphanumeric, with right check digits. Upper case only. */
export const isCnpj = (text: string): boolean => {
  if (!/^[0-9A-Z]{12}\d{2}$/.test(text) || allEqual(text)) return false
  const values = valuesOf(text)
  const first = checkDigit(values.slice(0, 12), CNPJ_WEIGHTS.slice(1))
  const second = checkDigit(values.slice(0, 13), CNPJ_WEIGHTS)
  return values[12] === first && values[13] === second
}

/** `***.456.789-**`: enough to recognise, too little to misuse. */
export const maskCpf = (cpf: string): string => `***.${cpf.slice(3, 6)}.${cpf.slice(6, 9)}-**`

/** `**.ABC.345/****-**`. */
export const maskCnpj = (cnpj: string): string => `**.${cnpj.slice(2, 5)}.${cnpj.slice(5, 8)}/****-**`

/** Masks a stripped CPF or CNPJ for events and logs. Of what is neither, nothing is shown. */
export const maskTaxId = (taxId: string): string => {
  if (taxId.length === 11) return maskCpf(taxId)
  return taxId.length === 14 ? maskCnpj(taxId) : '***'
}

/** A stripped CPF or CNPJ as people write it: `529.982.247-25`, `12.ABC.345/01DE-35`. What is neither stays as it is. */
export const writtenTaxId = (taxId: string): string =>
  taxId.length === 11
    ? taxId.replace(/^(.{3})(.{3})(.{3})(.{2})$/, '$1.$2.$3-$4')
    : taxId.replace(/^(.{2})(.{3})(.{3})(.{4})(.{2})$/, '$1.$2.$3/$4-$5')
