import type { Clock } from '../../clock.ts'
import type { Outcome } from '../../db/coalesce.ts'
import { coalesceByBook } from '../../db/coalesce-by-book.ts'
import type { HeldBooks } from '../../db/held-books.ts'
import { NO_OVERRIDES } from '../../domain/calendar.ts'
import { AppError } from '../../errors.ts'
import { type Admitted, type FirstAnswer, type Idempotency, openRequests, outcomesOf } from '../../idempotency/once.ts'
import type { NewId } from '../../ids.ts'
import type { ProviderRegistry } from '../../providers/provider.registry.ts'
import type { Repositories, Transact } from '../../repositories.ts'
import type { CustomersCardKey } from '../saved-cards/saved-cards.repository.ts'
import { customerKey, type SellerTerms } from './payment-terms.repository.ts'
import {
  type CreatedPayment,
  createPayment,
  type Moment,
  type NewBoletoUrl,
  type NewPayment,
  type Terms,
} from './payments.create.ts'
import { paymentErrors } from './payments.errors.ts'
import { type LockedLinks, lockLinks } from './payments.links.ts'
import type { Payment } from './payments.repository.ts'
import { txidsOf } from './payments.txids.ts'
import { type PaymentView, paymentView } from './payments.view.ts'

// Payments that are asked for at the same moment are made in one transaction: what stands here is about many of them, what a
// payment is stands in payments.create.ts.

/** How long the process that asks the provider has, before a repeat of the request may go on with it. Real time. */
const LEASE_MS = 30_000
const BATCH_MAX = 200
/** While one batch is being flushed to disk, the next one is made up. */
const BATCHES_AT_A_TIME = 2
/** What a batch costs however few are in it is worth paying for this many. */
const BESIDE_MIN = 20
/** A batch that meets a lock which does not come free is taken apart. */
const IMPATIENT = { patient: false }

type Call = {
  sellerId: string
  input: NewPayment
  idempotency: Idempotency | undefined
  /** The trace that the payment's events belong to. */
  trace: string | undefined
}

/** A payment that is finished as far as its creation goes, or one that the provider must still be asked for. */
export type Creation =
  | { next: 'answer'; view: PaymentView }
  | { next: 'charge'; payment: Payment; seller: SellerTerms | undefined }

type Dependencies = {
  transact: Transact
  providers: ProviderRegistry
  clock: Clock
  /** Real time, for leases. */
  wallClock: Clock
  newId: NewId
  newBoletoUrl: NewBoletoUrl
  heldBooks: HeldBooks
}

/** What was read for the calls of a batch. */
type Read = {
  terms: Omit<Terms, 'linkRefusal'>[]
  links: LockedLinks
  begun: ReadonlyMap<string, Payment>
  moment: Moment
}

const cardKeyOf = ({ sellerId, input: { customerId, cardId: id } }: Call): CustomersCardKey | undefined =>
  customerId === null || id === null ? undefined : { sellerId, customerId, id }

const termsOf = async (
  tx: Repositories,
  calls: readonly Call[],
  routes: ProviderRegistry['routes'],
): Promise<Read['terms']> => {
  const [sellers, fees, payers, cards, txids] = await Promise.all([
    tx.paymentTerms.findSellers([...new Set(calls.map(({ sellerId }) => sellerId))]),
    tx.fees.findApplicable(
      calls.map(({ sellerId, input: { method, installments } }) => ({ sellerId, method, installments })),
    ),
    tx.paymentTerms.findPayers(
      calls.flatMap(({ sellerId, input: { customerId } }) => (customerId === null ? [] : [{ sellerId, customerId }])),
    ),
    tx.savedCards.listByKeys(calls.flatMap((call) => cardKeyOf(call) ?? [])),
    txidsOf(tx, calls, routes),
  ])
  const cardOf = (key: CustomersCardKey) =>
    cards.find((card) => card.id === key.id && card.sellerId === key.sellerId && card.customerId === key.customerId)
  const bySeller = new Map(sellers.map((seller) => [seller.sellerId, seller]))
  return calls.map((call, index) => {
    const { sellerId, input } = call
    const { customerId, customer } = input
    const cardKey = cardKeyOf(call)
    return {
      seller: bySeller.get(sellerId),
      fee: fees[index],
      payer: customerId === null ? customer : payers.get(customerKey({ sellerId, customerId })),
      card: cardKey === undefined ? null : cardOf(cardKey),
      pixTxid: txids[index] ?? null,
    }
  })
}

// What attempts have left whose process has died.
const begunBy = async (tx: Repositories, calls: readonly Call[], admitted: readonly Admitted[]) => {
  const keys = admitted.flatMap(({ resourceId: id }, index) => {
    const sellerId = calls[index]?.sellerId
    return id === null || sellerId === undefined ? [] : [{ sellerId, id }]
  })
  return new Map((await tx.payments.listByKeys(keys)).map((payment) => [payment.id, payment]))
}

const write = async (tx: Repositories, created: readonly CreatedPayment[], now: Date): Promise<void> => {
  const references = created.flatMap(({ payment: { provider, sellerId, id }, reference }) =>
    reference === null ? [] : [{ provider, kind: 'charge' as const, reference, sellerId, resourceId: id }],
  )
  await Promise.all([
    tx.payments.insertMany(created.map(({ payment }) => payment)),
    tx.providerReferences.insertMany(references),
    tx.events.add(
      created.map(({ event }) => event),
      now,
    ),
    tx.fees.updateUsed(
      created.map(({ fee }) => fee),
      now,
    ),
  ])
}

// A refusal concerns its own call. Anything else has broken the transaction, and with it the whole batch.
const refusable = <Value>(work: () => Value): Outcome<Value> => {
  try {
    return { ok: true, value: work() }
  } catch (error) {
    if (error instanceof AppError) return { ok: false, error }
    throw error
  }
}

const mapped = <From, To>(outcome: Outcome<From>, map: (value: From) => To): Outcome<To> =>
  outcome.ok ? { ok: true, value: map(outcome.value) } : outcome

const isCharged = ({ status }: Payment): boolean => status !== 'created'

const creationOf = (payment: Payment, seller: SellerTerms | undefined): Creation =>
  isCharged(payment) ? { next: 'answer', view: paymentView(payment) } : { next: 'charge', payment, seller }

/** Makes payments: those that need no network are born pending, the others wait for their provider. */
export const createPaymentWriter = (dependencies: Dependencies) => {
  const { transact, providers, clock, wallClock, newId, newBoletoUrl, heldBooks } = dependencies
  const answerOf = (payment: Payment): FirstAnswer => {
    if (isCharged(payment)) return { state: 'done', body: paymentView(payment) }
    const leasedUntil = new Date(wallClock.now().getTime() + LEASE_MS)
    return { state: 'running', resourceId: payment.id, leasedUntil }
  }

  const read = async (tx: Repositories, calls: readonly Call[], admitted: readonly Admitted[]): Promise<Read> => {
    const now = clock.now()
    // Links first, then customers and fees: whoever locks more than one of them does so in this order.
    const links = await lockLinks(tx, calls, now)
    const [terms, begun] = await Promise.all([termsOf(tx, calls, providers.routes), begunBy(tx, calls, admitted)])
    // Only the last day of what falls due depends on when banks work.
    const fallsDue = calls.some(({ input }) => input.method === 'boleto' || input.dueTerms !== null)
    const holidays = fallsDue ? await tx.holidays.findOverrides() : NO_OVERRIDES
    return { terms, links, begun, moment: { now, holidays, newId, newBoletoUrl, providers } }
  }

  const create = ({ sellerId, input, trace }: Call, index: number, { terms, links, moment }: Read): CreatedPayment => {
    const known = terms[index] ?? { seller: undefined, fee: undefined, payer: null, card: null, pixTxid: null }
    const linkRefusal = links.refusalOf({ sellerId, input, sellerApproved: known.seller?.approved === true })
    const created = createPayment(input, { ...known, linkRefusal }, moment)
    links.take(created.payment)
    return trace === undefined ? created : { ...created, event: { ...created.event, trace } }
  }

  const createMany = (tx: Repositories, calls: readonly Call[], admitted: readonly Admitted[], known: Read) => {
    const created: CreatedPayment[] = []
    const payments = calls.map((call, index) =>
      refusable(() => {
        const resourceId = admitted[index]?.resourceId ?? null
        if (resourceId !== null) return known.begun.get(resourceId) ?? fail()
        const one = create(call, index, known)
        created.push(one)
        return one.payment
      }),
    )
    return { payments, written: () => Promise.all([write(tx, created, known.moment.now), known.links.write(tx)]) }
  }

  return coalesceByBook<Call, Creation>(
    (calls) =>
      transact(async (tx) => {
        const times = { now: clock.now(), wallNow: wallClock.now() }
        const keys = calls.map(({ idempotency }) => idempotency)
        const requests = await openRequests(tx.idempotency, keys, times)
        const admitted = requests.admitted.flatMap(({ place }) => calls[place] ?? [])
        const known = await read(tx, admitted, requests.admitted)
        const { payments, written } = createMany(tx, admitted, requests.admitted, known)
        await Promise.all([written(), requests.keep(payments.map((payment) => mapped(payment, answerOf)))])
        return outcomesOf<Creation>(requests, calls.length, {
          worked: payments.map((payment, index) =>
            mapped(payment, (made) => creationOf(made, known.terms[index]?.seller)),
          ),
          repeated: (body) => ({ next: 'answer', view: body as PaymentView }),
        })
      }, IMPATIENT),
    { name: 'payments.create', maxBatch: BATCH_MAX, concurrency: BATCHES_AT_A_TIME, besideMin: BESIDE_MIN },
    { bookOf: ({ sellerId }) => sellerId, heldBooks },
  )
}

const fail = (): never => {
  throw paymentErrors.not_found()
}
