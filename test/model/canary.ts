import { registerHooks } from 'node:module'

/**
 * Preloaded by `node --import`, this plants one bug into the platform while its files are loaded: what is on disk, and
 * what runs anywhere else, stays as it is. CANARY says which one.
 */
type Bug = { file: string; right: string; wrong: string }

const BUGS: Readonly<Record<string, Bug>> = {
  'fees round half a centavo down': {
    file: 'src/domain/money.ts',
    right: 'BigInt(amount) * BigInt(rate) + 5_000n',
    wrong: 'BigInt(amount) * BigInt(rate) + 4_999n',
  },
  'a reserve is released whole after a refund took from it': {
    file: 'src/areas/reserves/release-holds.ts',
    right: 'subtract(hold.amount, hold.releasedAmount, hold.consumedAmount)',
    wrong: 'subtract(hold.amount, hold.releasedAmount)',
  },
  'a refund passes over the hold of its payment': {
    file: 'src/areas/refunds/refunds.draw.ts',
    right: 'holdSources(await tx.reserveHolds.lockByPayment(sellerId, id))',
    wrong: 'holdSources((await tx.reserveHolds.lockByPayment(sellerId, id)).slice(1))',
  },
  'what a payment costs at the provider is not booked': {
    file: 'src/areas/payments/payments.confirm.ts',
    right: 'const costAmount = providerCostOf(costs, paid)',
    wrong: 'const costAmount = ZERO',
  },
  'an adjustment is posted the wrong way round': {
    file: 'src/domain/platform-transfers.ts',
    right: "{ account: 'available', amount },",
    wrong:
      "{ account: 'available', amount: negate(amount) }, { account: 'losses', amount }, { account: 'losses', amount },",
  },
  'a debt that is given up is no loss': {
    file: 'src/domain/platform-transfers.ts',
    right: "return ofAdjustment(adjustment, 'losses', {",
    wrong: "return ofAdjustment(adjustment, 'fee_revenue', {",
  },
  'what is recovered is no loss less': {
    file: 'src/domain/platform-transfers.ts',
    right: "return ofAdjustment({ ...adjustment, amount: negate(amount) }, 'losses', {",
    wrong: "return ofAdjustment({ ...adjustment, amount: negate(amount) }, 'fee_revenue', {",
  },
  'more is written off than is owed': {
    file: 'src/areas/adjustments/adjustments.service.ts',
    right: 'amount > negate(available)',
    wrong: 'amount > negate(available) + 50',
  },
  'more is recovered than was written off': {
    file: 'src/areas/adjustments/adjustments.service.ts',
    right: 'absolute(amount) > negate(losses)',
    wrong: 'absolute(amount) > negate(losses) + 50',
  },
  'a difference with the provider is posted the wrong way round': {
    file: 'src/domain/reconciliation.ts',
    right: "kind === 'fee' || lineKind !== 'charge' ? negate(difference)",
    wrong: "kind !== 'fee' || lineKind !== 'charge' ? negate(difference)",
  },
  'what was corrected of a difference is corrected again': {
    file: 'src/domain/reconciliation.ts',
    right: 'correctedAmount ?? ZERO)',
    wrong: 'ZERO)',
  },
  'a difference that is written off is the seller’s': {
    file: 'src/domain/reconciliation.ts',
    right: "if (resolution === 'write_off') return 'losses'",
    wrong: "if (resolution === 'write_off') return 'available'",
  },
  'what another fee costs is not booked as a cost': {
    file: 'src/domain/reconciliation.ts',
    right: "return kind === 'fee' ? 'provider_cost' : 'available'",
    wrong: "return 'available'",
  },
  'what goes back to a payer is not owed meanwhile': {
    file: 'src/areas/reconciliation/reconciliation.resolve.ts',
    right: 'await tx.ledger.post([payerRefundRequested({ payerRefundId: id, amount })], now)',
    wrong: 'await tx.ledger.post([], now)',
  },
  'what goes back to a payer is owed for ever': {
    file: 'src/areas/reconciliation/payer-refunds.ts',
    right: 'await tx.ledger.post([ended], now)',
    wrong: '[{ posted: true }]',
  },
  'what a provider would not give back is owed for ever': {
    file: 'src/areas/reconciliation/payer-refunds.ts',
    right: 'await tx.ledger.post([ended], now)',
    wrong: '(isBack ? await tx.ledger.post([ended], now) : [{ posted: true }])',
  },
  'what is missing at the provider is not missed': {
    file: 'src/areas/reconciliation/reconciliation.matching.repository.ts',
    right: "where kind <> 'dispute' and",
    wrong: 'where false and',
  },
  'the same money twice is taken for two': {
    file: 'src/areas/reconciliation/reconciliation.matching.repository.ts',
    right: 'window same as (partition by kind, money order by number)',
    wrong: 'window same as (partition by kind, money, number order by number)',
  },
  'the platform pays out a centavo more than it may': {
    file: 'src/areas/treasury/treasury.service.ts',
    right: 'if (amount <= payableAmount) return',
    wrong: 'if (amount <= payableAmount + 1) return',
  },
  'what the provider does not hold is paid out': {
    file: 'src/domain/treasury.ts',
    right: '[subtract(heldAmount, larger(claimedOf(position), claimedOf(before)))]',
    wrong: '[]',
  },
  'a payout of the platform is booked twice': {
    file: 'src/domain/platform-transfers.ts',
    right: "postings: [debit('treasury', amount), credit('clearing', amount)],",
    wrong:
      "postings: [debit('treasury', amount), debit('treasury', amount), credit('clearing', amount), credit('clearing', amount)],",
  },
  'a payout of the platform that came back stays out': {
    file: 'src/areas/treasury/treasury.outcome.ts',
    right: "if (state.status !== 'completed') await giveBack(tx, row, now)",
    wrong: '',
  },
  'what a dispute has uncovered is paid out': {
    file: 'src/areas/withdrawals/withdrawals.decisions.ts',
    right: 'if (available >= 0) return',
    wrong: 'if (available >= -100_000_000) return',
  },
  'a payout fails after it has completed': {
    file: 'src/domain/withdrawal.ts',
    right: "completed: ['returned']",
    wrong: "completed: ['returned', 'failed']",
  },
  'a payment that came in short counts as paid': {
    file: 'src/areas/payments/payments.confirm.ts',
    right: 'principalOf(paidAmount, parts) < row.amount',
    wrong: 'principalOf(paidAmount, parts) < row.amount - 9',
  },
  'a repeat of a request acts again': {
    file: 'src/idempotency/once.ts',
    right: 'return record && !isExpired(record, now) ? record : undefined',
    wrong: 'return undefined',
  },
  'boletos settle on Sundays': {
    file: 'src/domain/calendar.ts',
    right: 'weekday !== 0 && weekday !== 6',
    wrong: 'weekday !== 6',
  },
  'a holiday that an administrator set is not heeded': {
    file: 'src/domain/calendar.ts',
    right: 'holidays.get(date) ?? nationalHoliday(date)',
    wrong: 'nationalHoliday(date)',
  },
  'a link is sold once more than it may be': {
    file: 'src/domain/payment-link.ts',
    right: 'link.reservedSlots >= link.maxPayments ?',
    wrong: 'link.reservedSlots > link.maxPayments ?',
  },
  'what a dispute claims of a hold is not frozen': {
    file: 'src/areas/disputes/disputes.blocking.ts',
    right: "await tx.reserveHolds.move({ sellerId, id }, 'held', 'frozen', now)",
    wrong: 'true',
  },
}

const PIX_BUGS: Readonly<Record<string, Bug>> = {
  'a second Pix of a charge counts as its payment': {
    file: 'src/areas/received-pix/received-pix.booking.ts',
    right: 'payment.pixEndToEndId === endToEndId) return null',
    wrong: 'payment.pixEndToEndId !== null) return null',
  },
  'a Pix without a charge is dropped': {
    file: 'src/areas/received-pix/received-pix.booking.ts',
    right: 'deliveries.map((delivery) => draftOf(delivery, now, newId))',
    wrong:
      'deliveries.filter((one) => one.notification.received.txid).map((delivery) => draftOf(delivery, now, newId))',
  },
  'what the PSP sent back by itself is not booked': {
    file: 'src/providers/pix/pix.news.ts',
    right: '(hasInfraction ? [] : claims.flatMap(',
    wrong: '(hasInfraction || claims.length > 0 ? [] : claims.flatMap(',
  },
  'a claim that the PSP has rejected is lost': {
    file: 'src/providers/pix/pix.news.ts',
    right: "rejected: 'won'",
    wrong: "rejected: 'lost'",
  },
  'a payout goes to whoever has the key': {
    file: 'src/providers/pix/pix.payouts.ts',
    right: 'holder === null ? {} : { document: holder.document }',
    wrong: '{}',
  },
  'a payout that came back stays paid': {
    file: 'src/providers/pix/pix.payouts.ts',
    right: 'returned >= amount && returned > 0',
    wrong: 'returned > amount && returned > 0',
  },
  'a Pix of another amount counts as paid': {
    file: 'src/areas/payments/payments.confirm.ts',
    right: 'principalOf(paidAmount, parts) < row.amount',
    wrong: 'principalOf(paidAmount, parts) < row.amount - 50',
  },
}

/** The bugs that a run with this provider must find. */
export const bugsOf = (provider: string): Readonly<Record<string, Bug>> => (provider === 'pix' ? PIX_BUGS : BUGS)

const plant = ({ file, right, wrong }: Bug): void => {
  registerHooks({
    load(url, context, nextLoad) {
      const loaded = nextLoad(url, context)
      if (!url.endsWith(`/${file}`)) return loaded
      const source = String(loaded.source)
      if (source.split(right).length !== 2) throw new Error(`${file} no longer has exactly one: ${right}`)
      return { ...loaded, source: source.replace(right, wrong) }
    },
  })
}

const name = process.env.CANARY
const bug = { ...BUGS, ...PIX_BUGS }[name ?? '']
if (name !== undefined && bug === undefined) throw new Error(`no bug is called: ${name}`)
if (bug) plant(bug)
