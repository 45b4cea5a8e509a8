import { isCnpj, isCpf, stripTaxId } from './tax-id.ts'
import { isUuid } from './uuid.ts'

export const STATES = [
  'AC',
  'AL',
  'AM',
  'AP',
  'BA',
  'CE',
  'DF',
  'ES',
  'GO',
  'MA',
  'MG',
  'MS',
  'MT',
  'PA',
  'PB',
  'PE',
  'PI',
  'PR',
  'RJ',
  'RN',
  'RO',
  'RR',
  'RS',
  'SC',
  'SE',
  'SP',
  'TO',
] as const

const AREA_CODES: ReadonlySet<string> = new Set(
  (
    '11 12 13 14 15 16 17 18 19 21 22 24 27 28 31 32 33 34 35 37 38 41 42 43 44 45 46 47 48 49 51 53 54 55 ' +
    '61 62 63 64 65 66 67 68 69 71 73 74 75 77 79 81 82 83 84 85 86 87 88 89 91 92 93 94 95 96 97 98 99'
  ).split(' '),
)

/** Drops the mask and the country code (`+55`, or `55` before a whole number): phones are stored as national digits. */
export const stripPhone = (text: string): string => {
  const digits = text.replace(/[\s().-]/g, '')
  // 55 is an area code too: without the plus it is the country only where a national number still follows.
  return digits.replace(/^(?:\+55|55(?=\d{10,11}$))/, '')
}

/** Whether national digits are a Brazilian phone: a known area code, then a landline (8) or a mobile (9 digits). */
export const isPhone = (digits: string): boolean =>
  /^\d{2}([2-5]\d{7}|9\d{8})$/.test(digits) && AREA_CODES.has(digits.slice(0, 2))

/** National digits as people write them: `(11) 98765-4321`. */
export const writtenPhone = (digits: string): string => digits.replace(/^(\d{2})(\d{4,5})(\d{4})$/, '($1) $2-$3')

const isMobile = (digits: string): boolean => isPhone(digits) && digits.length === 11

/** Drops the mask of a CEP (`01310-100`). */
export const stripZipCode = (text: string): string => text.replace(/[\s.-]/g, '')

/** Whether a stripped text can be a CEP: eight digits, not all zero. */
export const isZipCode = (digits: string): boolean => /^\d{8}$/.test(digits) && digits !== '00000000'

/** A stripped CEP as people write it: `01310-100`. */
export const writtenZipCode = (digits: string): string => digits.replace(/^(\d{5})(\d{3})$/, '$1-$2')

export const PIX_KEY_TYPES = ['cpf', 'cnpj', 'email', 'phone', 'evp'] as const

/** What a Pix key is. Always asked for: eleven digits may be a CPF or a phone. */
export type PixKeyType = (typeof PIX_KEY_TYPES)[number]

const PIX_EMAIL_MAX = 77
const PIX_EMAIL = /^[a-z0-9.!#$%&'*+/=?^_`{|}~-]+@(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z0-9-]{2,63}$/

const normalizers: Readonly<Record<PixKeyType, (key: string) => string>> = {
  cpf: stripTaxId,
  cnpj: stripTaxId,
  email: (key) => key.trim().toLowerCase(),
  phone: (key) => `+55${stripPhone(key.trim())}`,
  evp: (key) => key.trim().toLowerCase(),
}

/** A Pix key as the directory of the Central Bank (DICT) writes it: phones as +55AANNNNNNNNN, the rest unmasked. */
export const normalizePixKey = (type: PixKeyType, key: string): string => normalizers[type](key)

const checks: Readonly<Record<PixKeyType, (key: string) => boolean>> = {
  cpf: isCpf,
  cnpj: isCnpj,
  email: (key) => key.length <= PIX_EMAIL_MAX && PIX_EMAIL.test(key),
  phone: (key) => key.startsWith('+55') && isMobile(key.slice(3)),
  evp: isUuid,
}

/**
 * Whether a normalised key has the form of its type: check digits right, a mobile phone with an existing area code,
 * an e-mail of at most 77 characters. Whether the key exists, only the directory knows.
 */
export const isPixKey = (type: PixKeyType, key: string): boolean => checks[type](key)
