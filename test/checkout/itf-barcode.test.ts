import fc from 'fast-check'
import { expect, test } from 'vitest'
import { itfBarcode } from '../../src/checkout/itf-barcode.ts'
import { itfWidths } from '../../src/domain/itf.ts'
import { toText } from '../../src/html.ts'
import { readDrawnBarcode } from '../support/barcode.ts'

const BARCODE = '10495554900000285310055303698700000009144958'

test('the bars of a boleto say its 44 digits, in 405 modules and with quiet zones', () => {
  const drawn = toText(itfBarcode(BARCODE, 'Código'))
  expect(readDrawnBarcode(drawn)).toBe(BARCODE)
  expect(itfWidths(BARCODE).reduce((total, width) => total + width, 0)).toBe(405)
  expect(drawn).toContain('viewBox="0 0 425 51"')
})

test('wide elements are three narrow ones', () => {
  expect(new Set(itfWidths(BARCODE))).toEqual(new Set([1, 3]))
})

test('any digits can be read back', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: 99 }), { minLength: 1, maxLength: 22 }), (pairs) => {
      const digits = pairs.map((pair) => String(pair).padStart(2, '0')).join('')
      expect(readDrawnBarcode(toText(itfBarcode(digits, '')))).toBe(digits)
    }),
  )
})

test('an odd number of digits has no such barcode', () => {
  expect(() => itfWidths('123')).toThrow(RangeError)
  expect(() => itfWidths('')).toThrow(RangeError)
})
