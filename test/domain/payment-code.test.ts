import fc from 'fast-check'
import { v7 } from 'uuid'
import { expect, test } from 'vitest'
import { idsOfPaymentCode, paymentCode } from '../../src/domain/payment-code.ts'

test('a code names the ids of a quarter of a second that end alike, its own among them', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 0, max: 2 ** 48 - 1 }),
      fc.uint8Array({ minLength: 16, maxLength: 16 }),
      (msecs, random) => {
        const id = v7({ msecs, random })
        const code = paymentCode(id)
        expect(code).toMatch(/^[0-9A-HJKMNP-TV-Z]{4}(-[0-9A-HJKMNP-TV-Z]{4}){2}$/)
        const { from, to, ending } = idsOfPaymentCode(code) ?? { from: '', to: '', ending: '' }
        expect(from <= id && id <= to && id.endsWith(ending)).toBe(true)
        const spanMs =
          Number.parseInt(to.replace('-', '').slice(0, 12), 16) -
          Number.parseInt(from.replace('-', '').slice(0, 12), 16)
        expect([spanMs, ending.length]).toEqual([255, 5])
      },
    ),
  )
})

test('a code is read as people write it, and other texts are none', () => {
  const code = paymentCode('0190a3f2-8c1d-7a44-b6f0-5e2d9c7b1a33')
  const read = idsOfPaymentCode(code)
  expect(read?.ending).toBe('b1a33')
  expect(idsOfPaymentCode(` ${code.toLowerCase().replaceAll('-', ' ')} `)).toEqual(read)
  expect(idsOfPaymentCode(code.replaceAll('1', 'l').replaceAll('0', 'O'))).toEqual(read)
  for (const other of ['', 'Camiseta', 'U1234-567-890', 'order-77', '0190a3f2-8c1d-7a44-b6f0-5e2d9c7b1a33']) {
    expect([other, idsOfPaymentCode(other)]).toEqual([other, undefined])
  }
  expect(() => paymentCode('order-77')).toThrow(RangeError)
})
