import { generatePixPayload } from '@brazilian-utils/brazilian-utils'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { brCode, crc16, parseBrCode } from '../../src/domain/br-code.ts'
import { AMOUNT_MAX, centavos, fromDecimal } from '../../src/domain/money.ts'

const merchant = { merchantName: 'Fulano de Tal', merchantCity: 'BRASILIA' }
const location = 'pix.example.com/8b3da2f39a4140d1a91abd93113bd441'

const STATIC =
  '00020126580014br.gov.bcb.pix0136123e4567-e12b-12d1-a456-4266554400005204000053039865802BR5913Fulano de Tal6008BRASILIA62070503***63041D3D'
const DYNAMIC =
  '00020101021226700014br.gov.bcb.pix2548pix.example.com/8b3da2f39a4140d1a91abd93113bd4415204000053039865802BR5913Fulano de Tal6008BRASILIA62070503***630464E4'
const RECURRENCE =
  '00020126180014br.gov.bcb.pix5204000053039865802BR5913Fulano de Tal6008BRASILIA62070503***80800014br.gov.bcb.pix2558pix.example.com/qr/v2/rec/2353c790eefb11eaadc10242ac120002630462C9'
const CHARGE_AND_RECURRENCE =
  '00020101021226760014br.gov.bcb.pix2554pix.example.com/qr/v2/8b3da2f39a4140d1a91abd93113bd4415204000053039865802BR5913Fulano de Tal6008BRASILIA62070503***80800014br.gov.bcb.pix2558pix.example.com/qr/v2/rec/94ed2badcbc04c15b0bb7fa35319489063047741'
const DUE_CHARGE_AND_RECURRENCE =
  '00020101021226810014br.gov.bcb.pix2559pix.example.com/qr/v2/cobv/1e6c54d3ec9449b7a7fc53b6b0f998e75204000053039865802BR5913Fulano de Tal6008BRASILIA62070503***80800014br.gov.bcb.pix2558pix.example.com/qr/v2/rec/3ffa640fa4f14080adccb949fa2dc0d06304A441'
const STATIC_WITH_AMOUNT =
  '00020126360014BR.GOV.BCB.PIX0114+55119647714305204000053039865406986.005802BR5913Fulano de Tal6008BRASILIA62070503***63047E91'

const PUBLISHED = [
  STATIC,
  DYNAMIC,
  RECURRENCE,
  CHARGE_AND_RECURRENCE,
  DUE_CHARGE_AND_RECURRENCE,
  STATIC_WITH_AMOUNT,
] as const

test('the check value of CRC-16/CCITT-FALSE', () => {
  expect(crc16('123456789')).toBe('29B1')
  expect(crc16('')).toBe('FFFF')
})

test('a static code is the published one, byte for byte', () => {
  expect(brCode({ ...merchant, key: '123e4567-e12b-12d1-a456-426655440000' })).toBe(STATIC)
})

test('a dynamic code is the published one, with or without the scheme of its location', () => {
  expect(brCode({ ...merchant, url: location })).toBe(DYNAMIC)
  expect(brCode({ ...merchant, url: `https://${location}` })).toBe(DYNAMIC)
})

test('a static code with an amount is the published one but for the case of the scheme name', () => {
  const code = brCode({ ...merchant, key: '+5511964771430', amount: centavos(98_600) })
  expect(code.slice(0, -4)).toBe(STATIC_WITH_AMOUNT.slice(0, -4).replace('BR.GOV.BCB.PIX', 'br.gov.bcb.pix'))
  expect(parseBrCode(code)?.get('54')).toBe('986.00')
})

test.each(PUBLISHED)('the published code %s is read', (code) => {
  const fields = parseBrCode(code)
  expect(fields?.get('26.00')?.toLowerCase()).toBe('br.gov.bcb.pix')
  expect(fields?.get('59')).toBe('Fulano de Tal')
  expect(fields?.get('62.05')).toBe('***')
  expect(fields?.get('63')).toBe(code.slice(-4))
})

test('keys, locations and recurrences are found inside of their templates', () => {
  expect(parseBrCode(STATIC)?.get('26.01')).toBe('123e4567-e12b-12d1-a456-426655440000')
  expect(parseBrCode(DYNAMIC)?.get('26.25')).toBe(location)
  expect(parseBrCode(DYNAMIC)?.get('01')).toBe('12')
  expect(parseBrCode(RECURRENCE)?.get('80.25')).toBe('pix.example.com/qr/v2/rec/2353c790eefb11eaadc10242ac120002')
})

test('a code with one character changed is refused', () => {
  const codes = fc.constantFrom(...PUBLISHED)
  const characters = fc.integer({ min: 0x20, max: 0x7e }).map((code) => String.fromCharCode(code))
  fc.assert(
    fc.property(codes, fc.nat(), characters, (code, position, character) => {
      const at = position % code.length
      fc.pre(code[at] !== character)
      expect(parseBrCode(code.slice(0, at) + character + code.slice(at + 1))).toBeUndefined()
    }),
  )
})

const withCrc = (body: string) => body + crc16(body)

test.each([
  ['nothing', ''],
  ['the CRC of another code', `${brCode({ ...merchant, key: 'fulano@example.com' }).slice(0, -4)}1D3D`],
  ['a CRC in lower case', STATIC.slice(0, -4) + STATIC.slice(-4).toLowerCase()],
  ['a length that runs over the end', withCrc('00020126990014br.gov.bcb.pix6304')],
  ['a field twice', withCrc('0002010002016304')],
  ['no format indicator', withCrc('5802BR6304')],
  ['another format version', withCrc('0002026304')],
  ['a template that holds no fields', withCrc('00020126020X6304')],
  ['a CRC that is no field of its own', withCrc('00020159086304')],
  ['more characters than a code has', withCrc(`000201${`59${'99'}${'A'.repeat(99)}`}${'A'.repeat(500)}6304`)],
])('%s is no BR Code', (_, text) => {
  expect(parseBrCode(text)).toBeUndefined()
})

test('names lose their accents and are cut', () => {
  const fields = parseBrCode(
    brCode({ merchantName: ' Açaí & Pão da Conceição Ltda 日本', merchantCity: 'São José dos Campos', url: location }),
  )
  expect(fields?.get('59')).toBe('Acai & Pao da Conceicao L')
  expect(fields?.get('60')).toBe('Sao Jose dos Ca')
})

test('a name without any Latin letter still makes a code', () => {
  const fields = parseBrCode(brCode({ merchantName: '日本', merchantCity: '東京', url: location }))
  expect(fields?.get('59')).toBe('NAO INFORMADO')
  expect(fields?.get('60')).toBe('NAO INFORMADA')
})

test.each([
  ['an empty key', { key: '' }],
  ['a key of 78 characters', { key: 'a'.repeat(78) }],
  ['a key with an accent', { key: 'josé@example.com' }],
  ['a location of 78 characters', { url: 'a'.repeat(78) }],
  ['a txid of 26 characters', { key: 'a@example.com', txid: 'a'.repeat(26) }],
  ['a txid with a dash', { key: 'a@example.com', txid: 'order-77' }],
  ['an amount of nothing', { key: 'a@example.com', amount: centavos(0) }],
  ['a negative amount', { key: 'a@example.com', amount: centavos(-1) }],
  ['an amount of fourteen characters', { key: 'a@example.com', amount: centavos(AMOUNT_MAX) }],
])('%s is refused', (_, rest) => {
  expect(() => brCode({ ...merchant, ...rest })).toThrow(RangeError)
})

const amounts = fc.integer({ min: 1, max: AMOUNT_MAX - 1 }).map(centavos)
const txids = fc.stringMatching(/^[A-Za-z0-9]{1,25}$/)

test('what is written is read again', () => {
  const names = fc.string({ unit: 'binary', maxLength: 60 })
  const keys = fc.stringMatching(/^[!-~]{1,77}$/)
  fc.assert(
    fc.property(names, names, keys, amounts, txids, (merchantName, merchantCity, key, amount, txid) => {
      const fields = parseBrCode(brCode({ merchantName, merchantCity, key, amount, txid }))
      expect(fields?.get('26.01')).toBe(key)
      expect(fromDecimal(fields?.get('54') ?? '')).toBe(amount)
      expect(fields?.get('62.05')).toBe(txid)
      expect(fields?.get('59')).toMatch(/^[ -~]{1,25}$/)
      expect(fields?.get('60')).toMatch(/^[ -~]{1,15}$/)
    }),
  )
})

test('an independent implementation writes the same static code', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 99_999_999 }), txids, (amount, txid) => {
      const theirs = generatePixPayload({
        key: 'fulano@example.com',
        merchantName: 'Fulano de Tal',
        merchantCity: 'BRASILIA',
        amount: amount / 100,
        txid,
      })
      expect(brCode({ ...merchant, key: 'fulano@example.com', amount: centavos(amount), txid })).toBe(theirs)
    }),
  )
})
