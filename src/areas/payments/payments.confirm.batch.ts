import type { Clock } from '../../clock.ts'
import { coalesceByBook } from '../../db/coalesce-by-book.ts'
import type { HeldBooks } from '../../db/held-books.ts'
import { NO_OVERRIDES } from '../../domain/calendar.ts'
import { successRecord } from '../../idempotency/answers.ts'
import type { Idempotency } from '../../idempotency/once.ts'
import type { NewId } from '../../ids.ts'
import type { ChargeState } from '../../providers/provider.port.ts'
import type { Repositories, Transact } from '../../repositories.ts'
import type { LinkUrl } from '../payment-links/payment-links.view.ts'
import type { KnownCosts } from '../provider-costs/known-costs.ts'
import { postAll, settlesLater } from './payments.booking.ts'
import type { ChargeNews } from './payments.charge.ts'
import { type Confirmation, confirmPayment } from './payments.confirm.ts'
import { countOnLinks, linkMovesOf } from './payments.links.ts'
import type { Payment, PaymentKey } from './payments.repository.ts'
import { paymentView } from './payments.view.ts'

// What providers say of many payments is written in one transaction: what it means for one of them stands in
// payments.confirm.ts.

/** What a provider says about one payment. */
export type ChargeChange = PaymentKey & { state: ChargeState; fields?: Partial<Payment> | undefined }

export type ConfirmContext = { now: Date; newId: NewId; linkUrl: LinkUrl; knownCosts: KnownCosts }

type Tx = Pick<
  Repositories,
  'payments' | 'paymentLinks' | 'settlements' | 'ledger' | 'reserveHolds' | 'events' | 'holidays' | 'providerCosts'
>

const keyOf = ({ sellerId, id }: PaymentKey): string => `${sellerId}/${id}`

/**
 * Confirms up to a hundred payments in one transaction, each judged on its own, in the order given: a change moves the
 * payment, books its money and writes its events together. Undefined where there is no such payment.
 */
export const confirmPayments = async (
  tx: Tx,
  changes: readonly ChargeChange[],
  context: ConfirmContext,
): Promise<(Confirmation | undefined)[]> => {
  const locked = await tx.payments.lockMany(changes)
  // A Pix that is available at once, which most payments are, needs no calendar.
  const needsCalendar = locked.some((payment) => settlesLater(payment) || payment.dueTerms !== null)
  const holidays = needsCalendar ? await tx.holidays.findOverrides() : NO_OVERRIDES
  const costs = await context.knownCosts.find(tx)
  const standing = new Map(locked.map((payment) => [keyOf(payment), payment]))
  const confirmations = changes.map((change) => {
    const before = standing.get(keyOf(change))
    if (before === undefined) return undefined
    const confirmation = confirmPayment(before, change, { ...context, holidays, costs })
    standing.set(keyOf(change), confirmation.payment)
    return confirmation
  })
  await write(tx, { locked, standing, confirmations: confirmations.flatMap((one) => one ?? []) }, context)
  return confirmations
}

type Judged = {
  locked: readonly Payment[]
  standing: ReadonlyMap<string, Payment>
  confirmations: readonly Confirmation[]
}

const write = async (tx: Tx, { locked, standing, confirmations }: Judged, context: ConfirmContext): Promise<void> => {
  const { now } = context
  const moves = locked.flatMap((before) => {
    const row = standing.get(keyOf(before))
    return row === undefined || row === before ? [] : [{ before, from: before.status, row }]
  })
  const bookings = confirmations.flatMap(({ booking }) => booking ?? [])
  const linkMoves = moves.flatMap(({ before, row }) => linkMovesOf(before, row))
  const events = [...confirmations.flatMap((one) => one.events), ...(await countOnLinks(tx, linkMoves, context))]
  await Promise.all([
    tx.payments.moveMany(moves),
    tx.settlements.insertMany(bookings.flatMap(({ settlements }) => settlements)),
    tx.reserveHolds.insert(bookings.flatMap(({ holds }) => holds)),
    tx.events.add(events, now),
  ])
  await postAll(tx, bookings, now)
}

/** What a provider answered about one payment. The request that waits for it, if any, gets its answer kept with it. */
type Answered = ChargeNews & {
  payment: PaymentKey & Pick<Payment, 'provider'>
  idempotency?: Idempotency | undefined
}

type Dependencies = {
  transact: Transact
  clock: Clock
  newId: NewId
  linkUrl: LinkUrl
  heldBooks: HeldBooks
  knownCosts: KnownCosts
}

const BATCH_MAX = 100
/** A batch that meets a lock which does not come free is taken apart. */
const IMPATIENT = { patient: false }

/** Writes providers' answers, many in one transaction. Answers what each came to. */
export const createNewsWriter = ({ transact, clock, newId, linkUrl, heldBooks, knownCosts }: Dependencies) =>
  coalesceByBook<Answered, Confirmation | undefined>(
    (answers) =>
      transact(async (tx) => {
        const now = clock.now()
        const changes = answers.map(({ payment: { sellerId, id }, state, fields }) => ({ sellerId, id, state, fields }))
        const confirmed = await confirmPayments(tx, changes, { now, newId, linkUrl, knownCosts })
        await tx.providerReferences.insertMany(
          answers.flatMap(({ payment: { provider, sellerId, id }, reference }) =>
            reference === null ? [] : [{ provider, kind: 'charge' as const, reference, sellerId, resourceId: id }],
          ),
        )
        await tx.idempotency.putMany(
          answers.flatMap(({ idempotency }, index) => {
            const payment = confirmed[index]?.payment
            return idempotency && payment ? [successRecord(idempotency, paymentView(payment), now)] : []
          }),
        )
        return confirmed.map((value) => ({ ok: true as const, value }))
      }, IMPATIENT),
    { name: 'payments.confirm', maxBatch: BATCH_MAX },
    { bookOf: ({ payment }) => payment.sellerId, heldBooks },
  )

export type WriteNews = ReturnType<typeof createNewsWriter>
