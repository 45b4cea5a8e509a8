import fc from 'fast-check'
import { expect, test } from 'vitest'
import { isLuhn, looksLikeCardNumber } from '../../src/domain/luhn.ts'

const CARDS = [
  '4000000000000010',
  '4000000000000028',
  '4242424242424242',
  '4000000760000002',
  '4235647728025682',
  '4222222222222',
  '5031433215406351',
  '5184019740373151',
  '4916561358240741',
  '2223003122003222',
  '375365153556885',
  '5067766783888311',
  '30569309025904',
  '3530111333300000',
  '6011111111111117',
  '6062825624254001',
  '6362970000457013',
] as const

test.each(CARDS.map((card) => [card]))('%s is a card number, unbroken, in groups and inside of text', (card) => {
  const groups = card.length === 15 ? [4, 10, 15] : card.length === 14 ? [4, 10, 14] : [4, 8, 12, 16]
  const inGroups = groups.map((end, index) => card.slice(groups[index - 1] ?? 0, end)).join(' ')
  expect(isLuhn(card)).toBe(true)
  for (const written of [card, inGroups, inGroups.replaceAll(' ', '-'), inGroups.replaceAll(' ', '.')]) {
    expect(looksLikeCardNumber(written)).toBe(true)
    expect(looksLikeCardNumber(`cartão ${written}, val. 11/30`)).toBe(true)
  }
})

test.each([
  ['digits in pairs', '42 42 42 42 42 42 42 42'],
  ['slashes', '4242/4242/4242/4242'],
  ['a number before it', 'pedido 1000 4242 4242 4242 4242'],
  ['fourteen digits in fours', 'cartão 3056 9309 0259 04, val. 11/30'],
  ['its expiry and code after it', '4242 4242 4242 4242 1130 123'],
  ['a label without space', 'card:4242424242424242;'],
  ['another card before it that fails', '4242424242424241 4242424242424242'],
])('a card number is found with %s', (_, text) => {
  expect(looksLikeCardNumber(text)).toBe(true)
})

test.each([
  ['a card that fails the check', '4444444444444441'],
  ['a test number that a provider publishes, and that fails the check', '4444 4444 4444 4444'],
  ['no issuer known', '1234567890123452'],
  ['a CNPJ that passes the check', '38175021000110'],
  ['a CPF', '529.982.247-25'],
  ['a phone', '+55 (11) 98765-4321'],
  ['a UUID of digits only', '42424242-4242-4242-4242-424242424242'],
  ['the identifier of a Pix', 'E12345678202009091221kkkkkkkkkkk'],
  ['a time in milliseconds', '1795219200000'],
  ['hexadecimal digits around it', 'a4242424242424242'],
  ['too many digits', '42424242424242424242'],
  ['the access key of an invoice', '3526 0142 4242 4242 4242 4255 0010 0000 0012 3456 7890'],
  ['the line of a boleto', '34191.09123 34567.880058 71234.570001 3 16770000012345'],
  ['nothing', ''],
])('%s is no card number', (_, text) => {
  expect(looksLikeCardNumber(text)).toBe(false)
})

test('the check takes digits only', () => {
  expect(isLuhn('0')).toBe(true)
  expect(isLuhn('79927398713')).toBe(true)
  for (const text of ['', ' ', '   ', '79927398710', '7992739871x', '7992 7398713']) expect(isLuhn(text)).toBe(false)
})

test('of ten last digits exactly one passes the check', () => {
  fc.assert(
    fc.property(fc.stringMatching(/^\d{0,30}$/), (root) => {
      expect(Array.from({ length: 10 }, (_, digit) => `${root}${digit}`).filter(isLuhn)).toHaveLength(1)
    }),
  )
})

test('no UUID is taken for a card number', () => {
  fc.assert(
    fc.property(fc.uuid(), (id) => {
      expect(looksLikeCardNumber(id)).toBe(false)
    }),
  )
  const digits = fc.stringMatching(/^\d{8}-\d{4}-\d{4}-\d{4}-\d{12}$/)
  fc.assert(
    fc.property(digits, (id) => {
      expect(looksLikeCardNumber(`ids ${id}, ${id}`)).toBe(false)
    }),
  )
})

test('a long text is judged in no time', () => {
  const started = performance.now()
  expect(looksLikeCardNumber('1 '.repeat(200_000))).toBe(false)
  expect(looksLikeCardNumber('1234 '.repeat(80_000))).toBe(false)
  expect(looksLikeCardNumber('9'.repeat(400_000))).toBe(false)
  expect(performance.now() - started).toBeLessThan(2_000)
})
