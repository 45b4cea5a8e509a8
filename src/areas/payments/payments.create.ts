import type { Clock } from '../../clock.ts'
import { coalesce, type Outcome } from '../../db/coalesce.ts'
import { type HolidayOverrides, NO_OVERRIDES } from '../../domain/calendar.ts'
import { AppError } from '../../errors.ts'
import type { Idempotency } from '../../idempotency/once.ts'
import { type Admitted, type Decided, type FirstAnswer, onceMany } from '../../idempotency/once-many.ts'
import type { NewId } from '../../ids.ts'
import type { ProviderRegistry } from '../../providers/provider.registry.ts'
import type { Repositories, Transact } from '../../repositories.ts'
import type { Fee } from '../fees/fees.repository.ts'
import { customerKey } from './payment-terms.repository.ts'
import { chargeRequestOf, draftPayment, type NewPayment, refusalOf, type Terms } from './payments.draft.ts'
import { paymentErrors } from './payments.errors.ts'
import { type LinkBook, openLinkBook } from './payments.links.ts'
import { chargeFields } from './payments.outcome.ts'
import type { Payment } from './payments.repository.ts'
import { type PaymentView, paymentEventData, paymentView } from './payments.view.ts'

/** How long the process that asks the provider has, before a repeat of the request may go on with it. Real time. */
const LEASE_MS = 30_000
const BATCH_MAX = 200
/** While one batch is being flushed to disk, the next one is made up. */
const BATCHES_AT_A_TIME = 2
/** What a batch costs however few are in it is worth paying for this many. */
const BESIDE_MIN = 20

type CreateCall = { sellerId: string; input: NewPayment; idempotency: Idempotency | undefined }

/** A payment that is finished as far as its creation goes, or one that the provider must still be asked for. */
export type Creation = { next: 'answer'; view: PaymentView } | { next: 'charge'; payment: Payment }

type Dependencies = {
  transact: Transact
  providers: ProviderRegistry
  clock: Clock
  /** Real time, for leases. */
  wallClock: Clock
  newId: NewId
}

type Tx = Repositories

type Moment = { now: Date; holidays: HolidayOverrides; links: LinkBook }

const termsOf = async (tx: Tx, calls: readonly CreateCall[]): Promise<Terms[]> => {
  const [sellers, fees, payers] = await Promise.all([
    tx.paymentTerms.findSellers([...new Set(calls.map(({ sellerId }) => sellerId))]),
    tx.fees.findApplicable(
      calls.map(({ sellerId, input: { method, installments } }) => ({ sellerId, method, installments })),
    ),
    tx.paymentTerms.findPayers(
      calls.flatMap(({ sellerId, input: { customerId } }) => (customerId === null ? [] : [{ sellerId, customerId }])),
    ),
  ])
  const bySeller = new Map(sellers.map((seller) => [seller.sellerId, seller]))
  return calls.map(({ sellerId, input: { customerId, customer } }, index) => ({
    seller: bySeller.get(sellerId),
    fee: fees[index],
    payer: customerId === null ? customer : payers.get(customerKey({ sellerId, customerId })),
  }))
}

// A refusal concerns its own call. Anything else has broken the transaction, and with it the whole batch.
const refusable = async <Value>(work: () => Promise<Value>): Promise<Outcome<Value>> => {
  try {
    return { ok: true, value: await work() }
  } catch (error) {
    if (error instanceof AppError) return { ok: false, error }
    throw error
  }
}

type Made = { payment: Payment; fee: Fee | undefined; reference: string | null }

const writeMade = async (tx: Tx, made: readonly Made[], now: Date): Promise<void> => {
  const references = made.flatMap(({ payment: { provider: name, sellerId, id }, reference }) =>
    reference === null ? [] : [{ provider: name, kind: 'charge' as const, reference, sellerId, resourceId: id }],
  )
  const events = made.map(({ payment }) => ({
    type: 'payment.created' as const,
    sellerId: payment.sellerId,
    data: paymentEventData(payment),
  }))
  const fees = made.flatMap(({ fee }) => fee ?? [])
  await Promise.all([
    tx.payments.insertMany(made.map(({ payment }) => payment)),
    tx.providerReferences.insertMany(references),
    tx.events.add(events, now),
    tx.fees.updateUsed(fees, now),
  ])
}

/** Writes payments: those that need no network are born pending, the others wait for their provider. */
export const createPaymentWriter = ({ transact, providers, clock, wallClock, newId }: Dependencies) => {
  const provider = providers.active

  const make = (call: CreateCall, terms: Terms, { now, holidays, links }: Moment): Made => {
    const sellerApproved = terms.seller?.approved === true
    const refusal = links.refusalOf({ ...call, sellerApproved }) ?? refusalOf(call.input, terms, now)
    if (refusal) throw refusal
    const { seller, fee, payer } = terms
    if (seller === undefined || fee === undefined || payer === undefined) throw paymentErrors.not_found()
    const { sellerId, input } = call
    const made = { id: newId(), sellerId, provider: provider.name, input, now, holidays }
    const draft = draftPayment(made, { seller, fee, payer })
    const charge = provider.composeCharge?.(chargeRequestOf(draft))
    if (charge === undefined) return { payment: draft, fee, reference: null }
    return { payment: { ...draft, ...chargeFields(charge), status: 'pending' }, fee, reference: charge.reference }
  }

  const answerOf = ({ payment, reference }: Pick<Made, 'payment' | 'reference'>): FirstAnswer<Creation> => {
    if (reference === null) {
      const leasedUntil = new Date(wallClock.now().getTime() + LEASE_MS)
      return { state: 'running', result: { next: 'charge', payment }, resourceId: payment.id, leasedUntil }
    }
    const view = paymentView(payment)
    return { state: 'done', result: { next: 'answer', view }, body: view }
  }

  /** An attempt whose process has died: whatever it wrote is there, so this one goes on with it. */
  const resume = async (tx: Tx, { sellerId }: CreateCall, id: string): Promise<FirstAnswer<Creation>> => {
    const payment = await tx.payments.find(sellerId, id)
    if (payment === undefined) throw paymentErrors.not_found()
    if (payment.status === 'created') return answerOf({ payment, reference: null })
    const view = paymentView(payment)
    return { state: 'done', result: { next: 'answer', view }, body: view }
  }

  const decideMany = async (
    tx: Tx,
    admitted: readonly Admitted<CreateCall>[],
    now: Date,
  ): Promise<Decided<Creation>> => {
    const calls = admitted.map(({ call }) => call)
    // Links first, then customers and fees: whoever locks more than one of them does so in this order.
    const links = await openLinkBook(tx, calls, now)
    const terms = await termsOf(tx, calls)
    // Only the last day of a boleto depends on when banks work.
    const hasBoleto = calls.some(({ input }) => input.method === 'boleto')
    const moment = { now, links, holidays: hasBoleto ? await tx.holidays.findOverrides() : NO_OVERRIDES }
    const made: Made[] = []
    const outcomes: Outcome<FirstAnswer<Creation>>[] = []
    for (const [index, { call, resourceId }] of admitted.entries()) {
      outcomes.push(
        await refusable(async () => {
          if (resourceId !== null) return resume(tx, call, resourceId)
          const one = make(call, terms[index] ?? NO_TERMS, moment)
          made.push(one)
          links.take(one.payment)
          return answerOf(one)
        }),
      )
    }
    return { outcomes, write: () => Promise.all([writeMade(tx, made, now), links.write(tx)]) }
  }

  return coalesce<CreateCall, Creation>(
    (calls) =>
      transact((tx) => {
        const now = clock.now()
        return onceMany<CreateCall, Creation>(calls, {
          idempotency: tx.idempotency,
          now,
          wallNow: wallClock.now(),
          decide: (admitted) => decideMany(tx, admitted, now),
          replayed: (body) => ({ next: 'answer', view: body as PaymentView }),
        })
      }),
    { maxBatch: BATCH_MAX, concurrency: BATCHES_AT_A_TIME, besideMin: BESIDE_MIN },
  )
}

const NO_TERMS: Terms = { seller: undefined, fee: undefined, payer: null }
