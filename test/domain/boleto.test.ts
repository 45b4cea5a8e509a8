import { isValidBoleto } from '@brazilian-utils/brazilian-utils'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  boletoBarcode,
  boletoBarcodeOf,
  boletoLine,
  dueDateOf,
  dueFactor,
  isBoletoBarcode,
  isBoletoLine,
  readBoletoBarcode,
} from '../../src/domain/boleto.ts'
import { addDays } from '../../src/domain/calendar.ts'
import { centavos } from '../../src/domain/money.ts'

const TODAY = '2026-11-21'
const digitsOf = (printed: string) => printed.replace(/\D/g, '')
const read = (line: string, today: string) => readBoletoBarcode(boletoBarcodeOf(digitsOf(line)) ?? '', today)

test.each([
  ['10490.05539 03698.700006 00091.449587 5 55490000028531', '104', '2012-12-16', 28_531],
  ['34198.85912 01354.522771 90199.970006 7 55100000500000', '341', '2012-11-07', 500_000],
  ['39992.84841 90000.001702 12459.064122 1 48970000041452', '399', '2011-03-05', 41_452],
  ['39991.11119 22222.500542 66666.660015 8 10010000031155', '399', '2000-07-04', 31_155],
  ['99997.77213 30530.150082 18975.000003 1 10120000035000', '999', '2000-07-15', 35_000],
])('%s is a line, and read in its own time means %s, %s, %s', (line, bankCode, dueDate, amount) => {
  expect(isBoletoLine(digitsOf(line))).toBe(true)
  expect(read(line, dueDate)).toMatchObject({ bankCode, dueDate, amount })
})

test('the line that is published with its barcode', () => {
  const line = '99997772133053015008218975000003110120000035000'
  const barcode = '99991101200000350007772130530150081897500000'
  expect(boletoLine(barcode)).toBe(line)
  expect(boletoBarcodeOf(line)).toBe(barcode)
  expect(readBoletoBarcode(barcode, '2000-07-01')?.dueDate).toBe('2000-07-15')
  expect(readBoletoBarcode(barcode, '2025-03-01')?.dueDate).toBe('2025-03-06')
  expect(readBoletoBarcode(barcode, TODAY)?.dueDate).toBe('2025-03-06')
})

test('a wrong general check digit is refused, though the digits of all three fields are right', () => {
  const published = digitsOf('34191.09123 34567.880058 71234.570001 6 16670000012345')
  expect(isBoletoLine(published)).toBe(false)
  expect(boletoBarcodeOf(published)).toBeUndefined()
  expect(isBoletoLine(digitsOf('34191.09123 34567.880058 71234.570001 9 16670000012345'))).toBe(true)
})

test('a boleto is made of its parts', () => {
  const line = '34191.09123 34567.880058 71234.570001 3 16770000012345'
  const parts = { bankCode: '341', dueDate: '2026-12-31', amount: centavos(12_345) }
  const barcode = boletoBarcode({ ...parts, freeField: '1091234567880057123457000' })
  expect(boletoLine(barcode)).toBe(digitsOf(line))
  expect(read(line, TODAY)).toMatchObject(parts)
})

test.each([
  ['2000-07-03', '1000'],
  ['2000-07-15', '1012'],
  ['2025-02-21', '9999'],
  ['2025-02-22', '1000'],
  ['2025-03-06', '1012'],
  ['2026-12-31', '1677'],
  ['2049-10-13', '9999'],
  ['2049-10-14', '1000'],
])('%s has the due factor %s', (date, factor) => {
  expect(dueFactor(date)).toBe(factor)
  expect(dueDateOf(factor, date)).toBe(date)
})

test('a factor means the date from 3,000 days ago to 5,999 days ahead', () => {
  const days = fc.integer({ min: -3_000, max: 5_999 })
  const years = fc.integer({ min: 0, max: 20_000 }).map((offset) => addDays('2009-01-01', offset))
  fc.assert(
    fc.property(years, days, (today, offset) => {
      const date = addDays(today, offset)
      expect(dueDateOf(dueFactor(date), today)).toBe(date)
    }),
  )
})

test('factors that were never given out mean no date, and dates before the first factor have none', () => {
  for (const factor of ['0000', '0999', '', '12345', '1x00']) expect(dueDateOf(factor, TODAY)).toBeNull()
  expect(() => dueFactor('2000-07-02')).toThrow(RangeError)
  expect(() => dueFactor('2026-02-30')).toThrow(RangeError)
})

const parts = fc.record({
  bankCode: fc.stringMatching(/^[0-79]\d{2}$/),
  dueDate: fc.integer({ min: 0, max: 5_000 }).map((days) => addDays(TODAY, days)),
  amount: fc.integer({ min: 0, max: 9_999_999_999 }).map(centavos),
  freeField: fc.stringMatching(/^\d{25}$/),
})

test('what is written is read again, from the barcode and from the line', () => {
  fc.assert(
    fc.property(parts, (boleto) => {
      const barcode = boletoBarcode(boleto)
      expect(barcode).toHaveLength(44)
      expect(boletoBarcodeOf(boletoLine(barcode))).toBe(barcode)
      expect(readBoletoBarcode(barcode, TODAY)).toEqual(boleto)
    }),
  )
})

test('an independent implementation takes every line', () => {
  fc.assert(
    fc.property(parts, (boleto) => {
      expect(isValidBoleto(boletoLine(boletoBarcode(boleto)))).toBe(true)
    }),
  )
})

test('a line with one digit of a field or the check digit changed is refused', () => {
  fc.assert(
    fc.property(parts, fc.integer({ min: 0, max: 32 }), fc.integer({ min: 1, max: 9 }), (boleto, at, by) => {
      const line = boletoLine(boletoBarcode(boleto))
      const changed = String((Number(line[at]) + by) % 10)
      expect(isBoletoLine(line.slice(0, at) + changed + line.slice(at + 1))).toBe(false)
    }),
  )
})

test.each([
  ['a bill of 48 digits', '836200000005667800481000180975657313001589636081'],
  ['47 digits that begin with 8', `8${'0'.repeat(46)}`],
  ['46 digits', '3419109123345678800587123457000131677000001234'],
  ['a printed line', '34191.09123 34567.880058 71234.570001 3 16770000012345'],
  ['nothing', ''],
])('%s is not taken for a line', (_, line) => {
  expect(isBoletoLine(line)).toBe(false)
})

test('no other currency and no bill is a barcode', () => {
  const barcode = '99991101200000350007772130530150081897500000'
  expect(isBoletoBarcode(barcode)).toBe(true)
  expect(isBoletoBarcode(`8${barcode.slice(1)}`)).toBe(false)
  expect(isBoletoBarcode(`${barcode.slice(0, 3)}8${barcode.slice(4)}`)).toBe(false)
  expect(isBoletoBarcode(barcode.slice(1))).toBe(false)
  expect(readBoletoBarcode('', TODAY)).toBeUndefined()
  expect(() => boletoLine('')).toThrow(RangeError)
})

test.each([
  ['a bank code of two digits', { bankCode: '34' }],
  ['a free field of 24 digits', { freeField: '1'.repeat(24) }],
  ['an amount of eleven digits', { amount: centavos(10_000_000_000) }],
  ['a negative amount', { amount: centavos(-1) }],
  ['a date that does not exist', { dueDate: '2026-02-30' }],
])('%s makes no boleto', (_, part) => {
  const boleto = { bankCode: '341', dueDate: '2026-12-31', amount: centavos(100), freeField: '1'.repeat(25) }
  expect(() => boletoBarcode({ ...boleto, ...part })).toThrow(RangeError)
})
