import fc from 'fast-check'
import { expect, test } from 'vitest'
import { disputeLost, disputeOpened, disputeReversed, disputeWon } from '../../src/domain/dispute-transfers.ts'
import { InvariantError } from '../../src/domain/invariant.ts'
import { isSellerAccount, type LedgerAccount, TRANSFER_KINDS } from '../../src/domain/ledger.ts'
import { add, type Centavos, centavos, negate, ZERO } from '../../src/domain/money.ts'
import { PAYMENT_METHODS } from '../../src/domain/payment.ts'
import {
  ADJUSTMENT_ACCOUNTS,
  adjustmentPosted,
  exceptionResolved,
  lossRecovered,
  lossWrittenOff,
  payerRefundCompleted,
  payerRefundFailed,
  payerRefundRequested,
  treasuryPaidOut,
  treasuryReturned,
} from '../../src/domain/platform-transfers.ts'
import { type Transfer, transfer } from '../../src/domain/transfer.ts'
import {
  paymentReceived,
  paymentSettled,
  refundFailed,
  refundRequested,
  reserveHeld,
  reserveReleased,
  withdrawalCompleted,
  withdrawalRequested,
  withdrawalReturned,
  withdrawalReversed,
} from '../../src/domain/transfers.ts'

const sellerId = 'seller'
const legsOf = ({ postings }: Transfer) => Object.fromEntries(postings.map(({ account, amount }) => [account, amount]))
const parts = (pending: number, reserved: number, available: number) => ({
  fromPendingAmount: centavos(pending),
  fromReservedAmount: centavos(reserved),
  fromAvailableAmount: centavos(available),
})

const base = {
  sellerId,
  kind: 'payment_received',
  referenceType: 'payment',
  referenceId: 'p',
  method: 'pix',
  description: '',
} as const
const legs = (...amounts: readonly [LedgerAccount, number][]) =>
  amounts.map(([account, amount]) => ({ account, amount: centavos(amount) }))

test('legs of one account are one posting, empty ones none', () => {
  const made = transfer({
    ...base,
    postings: legs(['clearing', -5], ['available', 2], ['available', 3], ['fee_revenue', 0]),
  })
  expect(made.postings).toEqual(legs(['clearing', -5], ['available', 5]))
})

test('a transfer that does not balance cannot be made', () => {
  expect(() => transfer({ ...base, postings: legs(['clearing', -5], ['available', 4]) })).toThrow(InvariantError)
})

test('a transfer that moves nothing between accounts cannot be made', () => {
  for (const postings of [[], legs(['available', 0], ['clearing', 0]), legs(['available', 5], ['available', -5])]) {
    expect(() => transfer({ ...base, postings })).toThrow(InvariantError)
  }
})

const payment = { sellerId, paymentId: 'p', grossAmount: centavos(10_000), feeAmount: centavos(99) }

test('a Pix or boleto that settles at once is available, less its fee', () => {
  for (const method of ['pix', 'boleto'] as const) {
    expect(legsOf(paymentReceived({ ...payment, method, settlesLater: false }))).toEqual({
      clearing: -10_000,
      available: 9_901,
      fee_revenue: 99,
    })
  }
})

test('a boleto that settles later is pending', () => {
  expect(legsOf(paymentReceived({ ...payment, method: 'boleto', settlesLater: true }))).toEqual({
    clearing: -10_000,
    pending: 9_901,
    fee_revenue: 99,
  })
})

test('a card is owed by the acquirer and pending, whatever is asked', () => {
  for (const settlesLater of [true, false]) {
    expect(legsOf(paymentReceived({ ...payment, method: 'credit_card', settlesLater }))).toEqual({
      receivable: -10_000,
      pending: 9_901,
      fee_revenue: 99,
    })
  }
})

test('a payment that its fee eats up leaves the seller nothing, and one without a fee the platform nothing', () => {
  const whole = paymentReceived({ ...payment, method: 'pix', feeAmount: centavos(10_000), settlesLater: false })
  expect(legsOf(whole)).toEqual({ clearing: -10_000, fee_revenue: 10_000 })
  const free = paymentReceived({ ...payment, method: 'pix', feeAmount: ZERO, settlesLater: false })
  expect(legsOf(free)).toEqual({ clearing: -10_000, available: 10_000 })
})

test('a fee above the payment is a fault of ours', () => {
  expect(() =>
    paymentReceived({ ...payment, method: 'pix', feeAmount: centavos(10_001), settlesLater: false }),
  ).toThrow(InvariantError)
})

const part = { sellerId, settlementId: 's', netAmount: centavos(3_152), feeAmount: centavos(184) }

test('a settled part becomes available; the acquirer of a card pays its share of the fee over with it', () => {
  expect(legsOf(paymentSettled({ ...part, method: 'boleto' }))).toEqual({ pending: -3_152, available: 3_152 })
  expect(legsOf(paymentSettled({ ...part, method: 'credit_card' }))).toEqual({
    pending: -3_152,
    available: 3_152,
    receivable: 3_336,
    clearing: -3_336,
  })
})

test('a card’s part that refunds emptied settles for its share of the fee', () => {
  expect(legsOf(paymentSettled({ ...part, method: 'credit_card', netAmount: ZERO }))).toEqual({
    receivable: 184,
    clearing: -184,
  })
})

test('a reserve is held and released; holding it is forced, for it came with the payment', () => {
  const hold = { sellerId, holdId: 'h', method: 'pix' as const, amount: centavos(990) }
  expect(legsOf(reserveHeld(hold))).toEqual({ available: -990, reserved: 990 })
  expect(reserveHeld(hold).forced).toBe(true)
  expect(legsOf(reserveReleased(hold))).toEqual({ reserved: -990, available: 990 })
  expect(reserveReleased(hold).forced).toBeUndefined()
})

test('a refund of a Pix is paid from the clearing account, wherever the seller’s part comes from', () => {
  const refund = refundRequested({ sellerId, refundId: 'r', method: 'pix', ...parts(100, 200, 700) })
  expect(legsOf(refund)).toEqual({ pending: -100, reserved: -200, available: -700, clearing: 1_000 })
  expect(refund.forced).toBeUndefined()
})

test('a refund of a card lessens what the acquirer owes by what had not settled', () => {
  const refund = refundRequested({ sellerId, refundId: 'r', method: 'credit_card', ...parts(600, 100, 300) })
  expect(legsOf(refund)).toEqual({ pending: -600, reserved: -100, available: -300, receivable: 600, clearing: 400 })
})

test('a refund that the provider has made already is forced', () => {
  const refund = { sellerId, refundId: 'r', method: 'pix' as const, ...parts(0, 0, 1) }
  expect(refundRequested({ ...refund, forced: true }).forced).toBe(true)
})

test('a dispute blocks pending and available money, forced, and gives it back when it is won', () => {
  const amounts = { fromPendingAmount: centavos(10), fromAvailableAmount: centavos(90) }
  const dispute = { sellerId, disputeId: 'd', method: 'credit_card' as const, ...amounts }
  expect(legsOf(disputeOpened(dispute))).toEqual({ pending: -10, available: -90, blocked: 100 })
  expect(disputeOpened(dispute).forced).toBe(true)
  const won = { ...dispute, settledAmount: centavos(0) }
  expect(legsOf(disputeWon(won))).toEqual({ pending: 10, available: 90, blocked: -100 })
})

test('what would have settled during a dispute is available when it is won, and paid over where a card owed it', () => {
  const amounts = { fromPendingAmount: centavos(10), fromAvailableAmount: centavos(90), settledAmount: centavos(4) }
  const dispute = { sellerId, disputeId: 'd', ...amounts }
  const back = { pending: 6, available: 94, blocked: -100 }
  expect(legsOf(disputeWon({ ...dispute, method: 'boleto' }))).toEqual(back)
  expect(legsOf(disputeWon({ ...dispute, method: 'credit_card' }))).toEqual({ ...back, receivable: 4, clearing: -4 })
})

test('money that a failed refund brought back is blocked in the name of the refund, since a dispute opens once', () => {
  const amounts = { fromPendingAmount: centavos(0), fromAvailableAmount: centavos(9) }
  const dispute = { sellerId, disputeId: 'd', method: 'pix' as const, ...amounts }
  expect(disputeOpened(dispute)).toMatchObject({ referenceType: 'dispute', referenceId: 'd' })
  expect(disputeOpened({ ...dispute, failedRefundId: 'r' })).toMatchObject({
    referenceType: 'refund',
    referenceId: 'r',
  })
})

test('a lost dispute pays the payer from what was blocked and frozen, and charges its fee', () => {
  const dispute = { sellerId, disputeId: 'd', ...parts(10, 5, 90), feeAmount: centavos(7) }
  expect(legsOf(disputeLost({ ...dispute, method: 'pix' }))).toEqual({
    blocked: -100,
    reserved: -5,
    clearing: 105,
    available: -7,
    fee_revenue: 7,
  })
  expect(legsOf(disputeLost({ ...dispute, method: 'credit_card' }))).toMatchObject({ receivable: 10, clearing: 95 })
  expect(disputeLost({ ...dispute, method: 'pix' }).forced).toBe(true)
})

test('a withdrawal is set aside, then paid out less its fee, or goes back', () => {
  const withdrawal = { sellerId, withdrawalId: 'w', amount: centavos(5_000) }
  expect(legsOf(withdrawalRequested(withdrawal))).toEqual({ available: -5_000, withdrawing: 5_000 })
  expect(legsOf(withdrawalCompleted({ ...withdrawal, feeAmount: centavos(100) }))).toEqual({
    withdrawing: -5_000,
    clearing: 4_900,
    fee_revenue: 100,
  })
  expect(legsOf(withdrawalReversed(withdrawal))).toEqual({ withdrawing: -5_000, available: 5_000 })
  expect(withdrawalRequested(withdrawal).forced).toBeUndefined()
})

test('a reversed dispute undoes the loss, wherever its money went', () => {
  for (const method of PAYMENT_METHODS) {
    const dispute = { sellerId, disputeId: 'd', method, ...parts(3_000, 990, 6_010) }
    const lost = legsOf(disputeLost({ ...dispute, feeAmount: centavos(500) }))
    const back = legsOf(disputeReversed({ ...dispute, returnedFeeAmount: centavos(500) }))
    const { blocked, reserved, ...platform } = lost
    expect([blocked, reserved]).toEqual([-9_010, -990])
    const { pending, available, reserved: held, ...returned } = back
    expect({ pending, available, held }).toEqual({ pending: 3_000, available: 6_510, held: 990 })
    for (const account of ['clearing', 'receivable', 'fee_revenue'] as const) {
      expect(add(centavos(platform[account] ?? 0), centavos(returned[account] ?? 0))).toBe(0)
    }
  }
})

test('what a payment costs at the provider is the platform’s, and is taken from what lies there', () => {
  const payment = { sellerId, paymentId: 'p', grossAmount: centavos(10_000), feeAmount: centavos(99) }
  const costAmount = centavos(35)
  expect(legsOf(paymentReceived({ ...payment, costAmount, method: 'pix', settlesLater: false }))).toEqual({
    clearing: -9_965,
    available: 9_901,
    fee_revenue: 99,
    provider_cost: -35,
  })
  expect(legsOf(paymentReceived({ ...payment, costAmount, method: 'credit_card', settlesLater: true }))).toEqual({
    receivable: -10_000,
    clearing: 35,
    pending: 9_901,
    fee_revenue: 99,
    provider_cost: -35,
  })
})

test('a returned payout comes back, with the part of the fee that the platform gives back', () => {
  const returned = { sellerId, withdrawalId: 'w', netAmount: centavos(4_900) }
  expect(legsOf(withdrawalReturned({ ...returned, returnedFeeAmount: ZERO }))).toEqual({
    clearing: -4_900,
    available: 4_900,
  })
  expect(legsOf(withdrawalReturned({ ...returned, returnedFeeAmount: centavos(100) }))).toEqual({
    clearing: -4_900,
    fee_revenue: -100,
    available: 5_000,
  })
})

const money = fc.integer({ min: 0, max: 1_000_000_000_000 }).map(centavos)
const positive = fc.integer({ min: 1, max: 1_000_000_000_000 }).map(centavos)
const method = fc.constantFrom(...PAYMENT_METHODS)

const builders: Record<(typeof TRANSFER_KINDS)[number], fc.Arbitrary<Transfer>> = {
  payment_received: fc
    .record({ method, net: positive, fee: money, costAmount: money, settlesLater: fc.boolean() })
    .map(({ net, fee, ...rest }) =>
      paymentReceived({ sellerId, paymentId: 'p', grossAmount: add(net, fee), feeAmount: fee, ...rest }),
    ),
  payment_settled: fc
    .record({ method, netAmount: positive, feeAmount: money })
    .map((settled) => paymentSettled({ sellerId, settlementId: 's', ...settled })),
  reserve_held: positive.map((amount) => reserveHeld({ sellerId, holdId: 'h', method: 'pix', amount })),
  reserve_released: positive.map((amount) => reserveReleased({ sellerId, holdId: 'h', method: 'pix', amount })),
  refund_requested: fc
    .record({ method, fromPendingAmount: money, fromReservedAmount: money, fromAvailableAmount: positive })
    .map((refund) => refundRequested({ sellerId, refundId: 'r', ...refund })),
  refund_failed: fc
    .record({ method, fromPendingAmount: money, fromReservedAmount: money, fromAvailableAmount: positive })
    .map((refund) => refundFailed({ sellerId, refundId: 'r', ...refund })),
  dispute_opened: fc
    .record({ method, fromPendingAmount: money, fromAvailableAmount: positive })
    .map((dispute) => disputeOpened({ sellerId, disputeId: 'd', ...dispute })),
  dispute_won: fc
    .record({ method, waitingAmount: money, settledAmount: money, fromAvailableAmount: positive })
    .map(({ waitingAmount, ...dispute }) =>
      disputeWon({
        sellerId,
        disputeId: 'd',
        fromPendingAmount: add(waitingAmount, dispute.settledAmount),
        ...dispute,
      }),
    ),
  dispute_lost: fc
    .record({
      method,
      fromPendingAmount: money,
      fromReservedAmount: money,
      fromAvailableAmount: positive,
      feeAmount: money,
    })
    .map((dispute) => disputeLost({ sellerId, disputeId: 'd', ...dispute })),
  dispute_reversed: fc
    .record({
      method,
      fromPendingAmount: money,
      fromReservedAmount: money,
      fromAvailableAmount: positive,
      returnedFeeAmount: money,
    })
    .map((dispute) => disputeReversed({ sellerId, disputeId: 'd', ...dispute })),
  withdrawal_requested: positive.map((amount) => withdrawalRequested({ sellerId, withdrawalId: 'w', amount })),
  withdrawal_completed: fc
    .record({ net: positive, feeAmount: money })
    .map(({ net, feeAmount }) =>
      withdrawalCompleted({ sellerId, withdrawalId: 'w', amount: add(net, feeAmount), feeAmount }),
    ),
  withdrawal_reversed: positive.map((amount) => withdrawalReversed({ sellerId, withdrawalId: 'w', amount })),
  withdrawal_returned: fc
    .record({ netAmount: positive, returnedFeeAmount: money })
    .map((withdrawal) => withdrawalReturned({ sellerId, withdrawalId: 'w', ...withdrawal })),
  adjustment_posted: fc
    .record({ amount: positive, isCredit: fc.boolean(), against: fc.constantFrom(...ADJUSTMENT_ACCOUNTS) })
    .map(({ amount, isCredit, against }) =>
      adjustmentPosted({ sellerId, adjustmentId: 'a', amount: isCredit ? amount : negate(amount), against }),
    ),
  loss_written_off: positive.map((amount) => lossWrittenOff({ sellerId, adjustmentId: 'a', amount })),
  loss_recovered: positive.map((amount) => lossRecovered({ sellerId, adjustmentId: 'a', amount })),
  treasury_paid_out: positive.map((amount) => treasuryPaidOut({ payoutId: 't', amount })),
  treasury_returned: positive.map((amount) => treasuryReturned({ payoutId: 't', amount })),
  exception_resolved: fc
    .record({
      amount: positive,
      isMore: fc.boolean(),
      against: fc.constantFrom('available' as const, 'provider_cost' as const, 'losses' as const),
    })
    .map(({ amount, isMore, against }) =>
      exceptionResolved({ sellerId, exceptionId: 'e', amount: isMore ? amount : negate(amount), against }),
    ),
  payer_refund_requested: positive.map((amount) => payerRefundRequested({ payerRefundId: 'p', amount })),
  payer_refund_completed: positive.map((amount) => payerRefundCompleted({ payerRefundId: 'p', amount })),
  payer_refund_failed: positive.map((amount) => payerRefundFailed({ payerRefundId: 'p', amount })),
}

// What is the platform's own affair: no seller's statement shows it.
const WITHOUT_SELLER: readonly string[] = ['treasury_paid_out', 'treasury_returned', 'exception_resolved']

const sumOf = (postings: Transfer['postings']): Centavos => add(...postings.map(({ amount }) => amount))

test.each(TRANSFER_KINDS)('every %s balances, names each account once, and is called what it is', (kind) => {
  fc.assert(
    fc.property(builders[kind], (made) => {
      expect(made.kind).toBe(kind)
      expect(sumOf(made.postings)).toBe(0)
      expect(new Set(made.postings.map(({ account }) => account)).size).toBe(made.postings.length)
      expect(made.postings.every(({ amount }) => amount !== 0)).toBe(true)
      if (WITHOUT_SELLER.includes(kind)) return
      expect(made.postings.some(({ account }) => isSellerAccount(account))).toBe(true)
    }),
  )
})

const undoes = (first: Transfer, second: Transfer) => {
  const both = [...first.postings, ...second.postings]
  for (const account of new Set(both.map((posting) => posting.account))) {
    expect(sumOf(both.filter((posting) => posting.account === account))).toBe(0)
  }
}

test('a failed refund, a won dispute, a released reserve and a reversed withdrawal undo what began them', () => {
  const refund = fc.record({
    method,
    fromPendingAmount: money,
    fromReservedAmount: money,
    fromAvailableAmount: positive,
  })
  fc.assert(
    fc.property(refund, (drawn) => {
      const { fromPendingAmount, fromAvailableAmount: amount } = drawn
      undoes(
        refundRequested({ sellerId, refundId: 'r', ...drawn }),
        refundFailed({ sellerId, refundId: 'r', ...drawn }),
      )
      const { method } = drawn
      const dispute = { sellerId, disputeId: 'd', method, fromPendingAmount, fromAvailableAmount: amount }
      undoes(disputeOpened(dispute), disputeWon({ ...dispute, settledAmount: centavos(0) }))
      undoes(
        reserveHeld({ sellerId, holdId: 'h', method: 'pix', amount }),
        reserveReleased({ sellerId, holdId: 'h', method: 'pix', amount }),
      )
      const withdrawal = { sellerId, withdrawalId: 'w', amount }
      undoes(withdrawalRequested(withdrawal), withdrawalReversed(withdrawal))
    }),
  )
})

test('a card payment refunded in parts leaves the acquirer owing what waiting parts and their fees come to', () => {
  const scenario = fc.record({ net: positive, fee: money, share: fc.double({ min: 0, max: 1, noNaN: true }) })
  fc.assert(
    fc.property(scenario, ({ net, fee, share }) => {
      const refunded = centavos(Math.floor(net * share))
      const left = add(net, negate(refunded))
      const steps = [
        paymentReceived({
          sellerId,
          paymentId: 'p',
          method: 'credit_card',
          grossAmount: add(net, fee),
          feeAmount: fee,
          settlesLater: true,
        }),
        ...(refunded === 0
          ? []
          : [refundRequested({ sellerId, refundId: 'r', method: 'credit_card', ...parts(refunded, 0, 0) })]),
        ...(left + fee === 0
          ? []
          : [paymentSettled({ sellerId, settlementId: 's', method: 'credit_card', netAmount: left, feeAmount: fee })]),
      ]
      const total = (account: LedgerAccount) =>
        sumOf(steps.flatMap(({ postings }) => postings.filter((posting) => posting.account === account)))
      expect(total('receivable')).toBe(0)
      expect(total('pending')).toBe(0)
      expect(total('clearing')).toBe(negate(add(left, fee)))
    }),
  )
})

test('no amount is negative', () => {
  const amount = centavos(-1)
  expect(() => reserveHeld({ sellerId, holdId: 'h', method: 'pix', amount })).toThrow(InvariantError)
  expect(() => withdrawalRequested({ sellerId, withdrawalId: 'w', amount })).toThrow(InvariantError)
})
