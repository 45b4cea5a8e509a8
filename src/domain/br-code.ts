import { type Centavos, toDecimal } from './money.ts'

const POLYNOMIAL = 0x1021

const afterEightBits = (byte: number): number => {
  let crc = byte << 8
  for (let bit = 0; bit < 8; bit += 1) crc = crc & 0x8000 ? ((crc << 1) ^ POLYNOMIAL) & 0xffff : (crc << 1) & 0xffff
  return crc
}

const CRC_OF_BYTE = Uint16Array.from({ length: 256 }, (_, byte) => afterEightBits(byte))

/** CRC-16/CCITT-FALSE (polynomial 0x1021, from 0xFFFF) as four upper-case hex digits: how a BR Code ends. */
export const crc16 = (text: string): string => {
  let crc = 0xffff
  for (const byte of new TextEncoder().encode(text)) crc = ((crc << 8) & 0xffff) ^ (CRC_OF_BYTE[(crc >> 8) ^ byte] ?? 0)
  return crc.toString(16).toUpperCase().padStart(4, '0')
}

const NAME_MAX = 25
const CITY_MAX = 15
const AMOUNT_LENGTH_MAX = 13
const NO_TXID = '***'

/** A Pix key or a location, as the merchant account has room for it. */
const ACCOUNT_VALUE = /^[\x21-\x7e]{1,77}$/
const TXID = /^(?:[A-Za-z0-9]{1,25}|\*{3})$/

const field = (id: string, value: string): string => `${id}${String(value.length).padStart(2, '0')}${value}`

/** ASCII without accents, cut to what the field holds. */
const plain = (text: string, max: number): string =>
  text
    .normalize('NFD')
    .replace(/[^\x20-\x7e]/g, '')
    .trim()
    .slice(0, max)
    .trim()

const checked = (value: string, form: RegExp, name: string): string => {
  if (!form.test(value)) throw new RangeError(`not the ${name} of a BR Code`)
  return value
}

const amountField = (amount: Centavos | undefined): string => {
  if (amount === undefined) return ''
  const text = toDecimal(amount)
  if (amount === 0 || text.length > AMOUNT_LENGTH_MAX) throw new RangeError(`not the amount of a BR Code: ${amount}`)
  return field('54', text)
}

export type BrCodeInput = {
  merchantName: string
  merchantCity: string
} & (
  | {
      /** A Pix key as the directory writes it: a static code. */
      key: string
      /** Without one the payer types it. */
      amount?: Centavos
      txid?: string
    }
  | {
      /** Where the payer's bank reads the charge, amount and txid included: a dynamic code. */
      url: string
    }
)

/**
 * The text of a Pix QR code ("copia e cola"): EMV merchant-presented mode, as the Central Bank's BR Code manual fills it.
 * Names lose their accents and are cut to 25 (name) and 15 (city) characters; of a URL the scheme is left out.
 * Throws a RangeError on a key, URL, txid or amount that has no place in a BR Code.
 */
export const brCode = (input: BrCodeInput): string => {
  const isStatic = 'key' in input
  const pointer = isStatic
    ? field('01', checked(input.key, ACCOUNT_VALUE, 'key'))
    : field('25', checked(input.url.replace(/^https?:\/\//, ''), ACCOUNT_VALUE, 'location'))
  const txid = isStatic ? (input.txid ?? NO_TXID) : NO_TXID
  const fields = [
    field('00', '01'),
    isStatic ? '' : field('01', '12'),
    field('26', field('00', 'br.gov.bcb.pix') + pointer),
    field('52', '0000'),
    field('53', '986'),
    isStatic ? amountField(input.amount) : '',
    field('58', 'BR'),
    field('59', plain(input.merchantName, NAME_MAX) || 'NAO INFORMADO'),
    field('60', plain(input.merchantCity, CITY_MAX) || 'NAO INFORMADA'),
    field('62', field('05', checked(txid, TXID, 'txid'))),
    '6304',
  ].join('')
  return fields + crc16(fields)
}

const BR_CODE_LENGTH_MAX = 512
/** Fields that hold fields: merchant accounts, additional data, the alternate language, unreserved templates. */
const TEMPLATE_ID = /^(?:2[6-9]|3\d|4\d|5[01]|62|64|[89]\d)$/

const parseFields = (text: string): Map<string, string> | undefined => {
  const fields = new Map<string, string>()
  for (let at = 0; at < text.length; ) {
    const header = /^(\d{2})(\d{2})/.exec(text.slice(at, at + 4))
    if (!header) return undefined
    const [, id = '', length = ''] = header
    const value = text.slice(at + 4, at + 4 + Number(length))
    if (value.length !== Number(length) || fields.has(id)) return undefined
    fields.set(id, value)
    at += 4 + value.length
  }
  return fields
}

const isWhole = (text: string): boolean => {
  const body = text.slice(0, -4)
  return text.length <= BR_CODE_LENGTH_MAX && body.endsWith('6304') && crc16(body) === text.slice(-4)
}

/**
 * The fields of a BR Code by id, and those inside of templates by both ids: `59` is the merchant's name, `26.01` a
 * static code's key, `26.25` a dynamic one's location. Undefined when its structure or its CRC is wrong.
 */
export const parseBrCode = (text: string): ReadonlyMap<string, string> | undefined => {
  const fields = isWhole(text) ? parseFields(text) : undefined
  if (fields?.get('00') !== '01' || !fields.has('63')) return undefined
  const all = new Map(fields)
  for (const [id, value] of fields) {
    if (!TEMPLATE_ID.test(id)) continue
    const inner = parseFields(value)
    if (inner === undefined) return undefined
    for (const [innerId, innerValue] of inner) all.set(`${id}.${innerId}`, innerValue)
  }
  return all
}
