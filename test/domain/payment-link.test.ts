import fc from 'fast-check'
import { expect, test } from 'vitest'
import { centavos, ZERO } from '../../src/domain/money.ts'
import { PAYMENT_STATUSES } from '../../src/domain/payment.ts'
import {
  countMove,
  installmentOptions,
  isLimitTooLow,
  type LinkTerms,
  linkRefusal,
  linkStatusAt,
  slotMove,
  statusAfterEdit,
  takeSlot,
} from '../../src/domain/payment-link.ts'

const NOW = new Date('2026-11-21T12:00:00.000Z')
const EARLIER = new Date(NOW.getTime() - 1)
const LATER = new Date(NOW.getTime() + 1)

const link: LinkTerms = {
  status: 'active',
  maxPayments: 2,
  reservedSlots: 0,
  excessSlots: 0,
  paymentsCount: 0,
  paidAmount: ZERO,
  amount: centavos(10_000),
  minAmount: null,
  maxAmount: null,
  methods: ['pix', 'credit_card'],
  maxInstallments: 3,
  expiresAt: null,
}
const open: LinkTerms = { ...link, amount: null, minAmount: centavos(500), maxAmount: centavos(900) }
const asked = { method: 'pix' as const, amount: centavos(10_000), installments: 1 }

test('a link has expired from its last moment on, unless it was completed or deleted', () => {
  expect(linkStatusAt({ status: 'active', expiresAt: LATER }, NOW)).toBe('active')
  expect(linkStatusAt({ status: 'active', expiresAt: NOW }, NOW)).toBe('expired')
  expect(linkStatusAt({ status: 'inactive', expiresAt: EARLIER }, NOW)).toBe('expired')
  expect(linkStatusAt({ status: 'completed', expiresAt: EARLIER }, NOW)).toBe('completed')
  expect(linkStatusAt({ status: 'deleted', expiresAt: EARLIER }, NOW)).toBe('deleted')
})

test.each([
  ['takes what it offers', link, asked, undefined],
  ['is not active', { ...link, status: 'inactive' as const }, asked, 'inactive'],
  ['has run out', { ...link, expiresAt: NOW }, asked, 'expired'],
  ['is complete', { ...link, status: 'completed' as const }, asked, 'completed'],
  ['was deleted', { ...link, status: 'deleted' as const }, asked, 'deleted'],
  ['costs something else', link, { ...asked, amount: centavos(9_999) }, 'amount_changed'],
  ['has no slot left', { ...link, reservedSlots: 2 }, asked, 'slots_taken'],
  ['has one slot left', { ...link, reservedSlots: 1 }, asked, undefined],
  ['counts no slots', { ...link, maxPayments: null, reservedSlots: 9 }, asked, undefined],
])('a link that %s', (_what, given, request, because) => {
  expect(linkRefusal(given, request, NOW)?.because).toBe(because)
})

test.each([
  ['too little', open, { ...asked, amount: centavos(499) }, ['amount']],
  ['too much', open, { ...asked, amount: centavos(901) }, ['amount']],
  ['the least', open, { ...asked, amount: centavos(500) }, []],
  ['the most', open, { ...asked, amount: centavos(900) }, []],
  ['another method', link, { ...asked, method: 'boleto' as const }, ['method']],
  ['too many installments', link, { ...asked, method: 'credit_card' as const, installments: 4 }, ['installments']],
  [
    'everything wrong',
    open,
    { method: 'boleto' as const, amount: centavos(1), installments: 2 },
    ['amount', 'method', 'installments'],
  ],
])('every fault of what is asked is named at once: %s', (_what, given, request, paths) => {
  const refusal = linkRefusal(given, request, NOW)
  expect(refusal?.because === 'faults' ? refusal.faults.map(({ path }) => path) : []).toEqual(paths)
})

test('what a payment does to its link depends on where it came from', () => {
  const moves = PAYMENT_STATUSES.flatMap((from) =>
    PAYMENT_STATUSES.flatMap((to) => {
      const move = slotMove(from, to)
      return move === undefined ? [] : [`${from} ${to} ${move}`]
    }),
  )
  const opened = ['created', 'pending', 'processing', 'authorized']
  const paid = ['paid', 'partially_refunded', 'refunded', 'in_dispute', 'charged_back']
  const ended = ['expired', 'canceled', 'failed']
  const expected = [
    ...opened.flatMap((from) => [
      ...paid.map((to) => `${from} ${to} paid`),
      ...ended.map((to) => `${from} ${to} released`),
    ]),
    ...ended.flatMap((from) => paid.map((to) => `${from} ${to} paid_late`)),
  ]
  expect(moves.sort()).toEqual(expected.sort())
})

// Payments of a link as anybody would keep them in a list; the counts must never say anything else.
type State = 'open' | 'ended' | 'paid'
type Model = { link: LinkTerms; payments: State[] }

const having = ({ payments }: Model, ...states: State[]) => payments.filter((state) => states.includes(state)).length

const actions = {
  take: (model: Model) => {
    if (linkRefusal(model.link, asked, NOW)) return
    expect(having(model, 'open', 'paid')).toBeLessThan(model.link.maxPayments ?? 0)
    model.link = takeSlot(model.link)
    model.payments.push('open')
  },
  pay: (model: Model, at: number) => {
    const state = model.payments[at]
    if (state === undefined || state === 'paid') return
    model.link = countMove(model.link, state === 'open' ? 'paid' : 'paid_late', centavos(100))
    model.payments[at] = 'paid'
  },
  end: (model: Model, at: number) => {
    if (model.payments[at] !== 'open') return
    model.link = countMove(model.link, 'released', ZERO)
    model.payments[at] = 'ended'
  },
}

const steps = fc.array(fc.tuple(fc.constantFrom('take' as const, 'pay' as const, 'end' as const), fc.nat(3)), {
  maxLength: 60,
})

test('slots are never oversold, and the counts are those of the payments, whatever happens in which order', () => {
  fc.assert(
    fc.property(steps, fc.integer({ min: 1, max: 4 }), (taken, maxPayments) => {
      const model: Model = { link: { ...link, maxPayments }, payments: [] }
      for (const [action, at] of taken) {
        actions[action](model, at)
        const paidCount = having(model, 'paid')
        expect(model.link).toMatchObject({
          reservedSlots: having(model, 'open', 'paid'),
          paymentsCount: paidCount,
          paidAmount: 100 * paidCount,
          status: paidCount >= maxPayments ? 'completed' : 'active',
        })
        expect(model.link.reservedSlots).toBeLessThanOrEqual(maxPayments + model.link.excessSlots)
      }
    }),
    { numRuns: 500 },
  )
})

test('a late payment completes an expired link, and leaves a deleted one as it is', () => {
  const last = { ...link, maxPayments: 1 }
  expect(countMove({ ...last, status: 'expired' }, 'paid_late', centavos(5)).status).toBe('completed')
  expect(countMove({ ...last, status: 'deleted' }, 'paid_late', centavos(5)).status).toBe('deleted')
})

const edit = { status: undefined, maxPayments: 3, expiresAt: null, reservedSlots: 2 }

test.each([
  ['stays active', link, edit, 'active'],
  ['stays inactive', { ...link, status: 'inactive' as const }, edit, 'inactive'],
  ['is switched off', link, { ...edit, status: 'inactive' as const }, 'inactive'],
  ['is switched on', { ...link, status: 'inactive' as const }, { ...edit, status: 'active' as const }, 'active'],
  ['is complete by its new limit', { ...link, paymentsCount: 2 }, { ...edit, maxPayments: 2 }, 'completed'],
  ['goes on by its new limit', { ...link, status: 'completed' as const, paymentsCount: 2 }, edit, 'active'],
  ['goes on by its new time', { ...link, status: 'expired' as const }, { ...edit, expiresAt: LATER }, 'active'],
  [
    'stays expired by its old time',
    { ...link, status: 'expired' as const },
    { ...edit, expiresAt: EARLIER },
    'expired',
  ],
])('an edited link %s', (_what, before, given, status) => {
  expect(statusAfterEdit(before, given, NOW)).toBe(status)
})

test('a limit may not leave out what is paid or may still be, but one that was passed may stay', () => {
  expect(isLimitTooLow(link, { ...edit, maxPayments: 1 })).toBe(true)
  expect(isLimitTooLow(link, { ...edit, maxPayments: 2 })).toBe(false)
  expect(isLimitTooLow(link, { ...edit, maxPayments: null })).toBe(false)
  expect(isLimitTooLow({ ...link, maxPayments: 1 }, { ...edit, maxPayments: 1 })).toBe(false)
})

test('installments sum to the amount, and only the first may be larger', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 10 ** 12 }), fc.integer({ min: 1, max: 12 }), (amount, max) => {
      const options = installmentOptions(centavos(amount), max)
      expect(options.map(({ installments }) => installments)).toEqual(
        Array.from({ length: Math.min(max, amount) }, (_, index) => index + 1),
      )
      for (const { installments, firstAmount, eachAmount, totalAmount } of options) {
        expect(totalAmount).toBe(amount)
        expect(firstAmount + eachAmount * (installments - 1)).toBe(amount)
        expect(firstAmount - eachAmount).toBeGreaterThanOrEqual(0)
        expect(firstAmount - eachAmount).toBeLessThan(Math.max(1, installments))
        expect(eachAmount).toBeGreaterThan(0)
      }
    }),
  )
})
