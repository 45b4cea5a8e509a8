import fc from 'fast-check'
import { expect, test } from 'vitest'
import { addDays, isBusinessDay, NO_OVERRIDES, saoPauloDate } from '../../src/domain/calendar.ts'
import { type SettlementTerms, settlementSchedule } from '../../src/domain/installments.ts'
import { add, centavos } from '../../src/domain/money.ts'

const schedule = (terms: Partial<SettlementTerms>) =>
  settlementSchedule({
    method: 'pix',
    netAmount: centavos(9_901),
    installments: 1,
    paidAt: new Date('2026-11-19T15:00:00Z'),
    settlementDays: 0,
    holidays: NO_OVERRIDES,
    ...terms,
  })

test('Pix is available on the day it is paid, also on a holiday and on a Sunday', () => {
  expect(schedule({})).toEqual([{ installment: 1, amount: 9_901, availableOn: '2026-11-19' }])
  expect(schedule({ paidAt: new Date('2026-11-20T15:00:00Z') })[0]?.availableOn).toBe('2026-11-20')
  expect(schedule({ paidAt: new Date('2026-11-22T15:00:00Z') })[0]?.availableOn).toBe('2026-11-22')
})

test('the day is the one in São Paulo', () => {
  expect(schedule({ paidAt: new Date('2026-11-22T02:59:59Z') })[0]?.availableOn).toBe('2026-11-21')
})

test('Pix with days to wait becomes available on a business day', () => {
  expect(schedule({ settlementDays: 1 })[0]?.availableOn).toBe('2026-11-23')
})

test('a boleto is available after business days', () => {
  const boleto = { method: 'boleto', settlementDays: 1 } as const
  expect(schedule(boleto)).toEqual([{ installment: 1, amount: 9_901, availableOn: '2026-11-23' }])
  expect(schedule({ ...boleto, settlementDays: 2 })[0]?.availableOn).toBe('2026-11-24')
  expect(schedule({ ...boleto, holidays: new Map([['2026-11-20', false]]) })[0]?.availableOn).toBe('2026-11-20')
})

test('a card payment is available in parts, every 30 days, moved to business days, the remainder first', () => {
  const card = { method: 'credit_card', netAmount: centavos(9_452), installments: 3, settlementDays: 30 } as const
  expect(schedule({ ...card, paidAt: new Date('2026-11-21T15:00:00Z') })).toEqual([
    { installment: 1, amount: 3_152, availableOn: '2026-12-21' },
    { installment: 2, amount: 3_150, availableOn: '2027-01-20' },
    { installment: 3, amount: 3_150, availableOn: '2027-02-19' },
  ])
  // 2026-12-25 is Christmas, a Friday.
  expect(schedule({ ...card, paidAt: new Date('2026-11-25T15:00:00Z') })[0]?.availableOn).toBe('2026-12-28')
})

test('the parts of a card payment sum to its net and come in order, on the first business day from their own', () => {
  const instants = fc.date({ min: new Date('2020-01-01Z'), max: new Date('2040-01-01Z'), noInvalidDate: true })
  const counts = fc.integer({ min: 1, max: 12 })
  fc.assert(
    fc.property(instants, counts, fc.nat(1_000_000_000), (paidAt, installments, net) => {
      const parts = schedule({
        method: 'credit_card',
        settlementDays: 30,
        paidAt,
        installments,
        netAmount: centavos(net),
      })
      expect(parts.map(({ installment }) => installment)).toEqual(Array.from({ length: installments }, (_, k) => k + 1))
      expect(add(...parts.map(({ amount }) => amount))).toBe(net)
      for (const { installment, availableOn } of parts) {
        const due = addDays(saoPauloDate(paidAt), 30 * installment)
        expect(isBusinessDay(availableOn)).toBe(true)
        expect(availableOn >= due).toBe(true)
        for (let day = due; day < availableOn; day = addDays(day, 1)) expect(isBusinessDay(day)).toBe(false)
      }
    }),
  )
})

test('a payment in no installments is refused', () => {
  expect(() => schedule({ method: 'credit_card', installments: 0 })).toThrow(RangeError)
})
