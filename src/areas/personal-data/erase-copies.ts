import type { Clock } from '../../clock.ts'
import { ID_SLACK_MS } from '../../db/id-period.ts'
import { ANONYMOUS_CUSTOMER, ANONYMOUS_PAYER } from '../../domain/anonymous.ts'
import { NIL_UUID } from '../../domain/uuid.ts'
import type { IdempotencyRecord } from '../../idempotency/idempotency.repository.ts'
import { PUBLIC_OWNER_ID } from '../../ids.ts'
import type { Repositories, Transact } from '../../repositories.ts'
import { eraseCustomers } from './erase-payers.ts'
import type { Erasure } from './erasures.repository.ts'

type Dependencies = { transact: Transact; clock: Clock; batchMax?: number }

const BATCH_MAX = 2_000
/** First answers are repeated for a day, and their rows go by whole days after that. */
const ANSWERS_LEFT_MS = 3 * 24 * 3_600_000

/** A thing as it was told, a payment or a customer, without the person. */
const withoutPerson = (told: object): object =>
  'customer' in told ? { ...told, customer: ANONYMOUS_PAYER } : { ...told, ...ANONYMOUS_CUSTOMER }

const rewriteAnswer = (record: IdempotencyRecord): IdempotencyRecord => ({
  ...record,
  body: JSON.stringify(withoutPerson(JSON.parse(record.body ?? '{}'))),
})

const rewriteEvent = ({ id, body }: { id: string; body: string }) => {
  const event: { data: object } = JSON.parse(body)
  return { id, body: JSON.stringify({ ...event, data: withoutPerson(event.data) }) }
}

const eraseByEmail = async (tx: Repositories, erasure: Erasure, email: string, { limit, now }: Batch) => {
  const { sellerId, cursorId } = erasure
  const isFirst = cursorId === NIL_UUID
  const customers = isFirst ? await tx.personalData.listCustomersOf(sellerId, { email }) : []
  const erased = await eraseCustomers(tx, sellerId, customers, now)
  const { lastId, count, ids } = await tx.personalData.listPaidFrom(sellerId, email, { afterId: cursorId, limit })
  const paymentsCount = await tx.payerSnapshots.updateAnonymous(sellerId, { ids })
  const isLast = count < limit
  await tx.erasures.updateProgress(erasure, {
    email: isLast ? null : email,
    cursorId: isLast ? NIL_UUID : lastId,
    customersCount: erasure.customersCount + erased.customersCount,
    paymentsCount: erasure.paymentsCount + erased.paymentsCount + paymentsCount,
  })
}

const eraseAnswers = async (tx: Repositories, sellerId: string, now: Date) => {
  const since = new Date(now.getTime() - ANSWERS_LEFT_MS)
  const { ids, linkHashes } = await tx.personalData.listErasedSince(sellerId, since)
  const own = await tx.idempotency.listAnswersAbout(sellerId, ids, { since })
  const operations = linkHashes.flatMap((hash) => [`POST /pay/${hash}`, `POST /api/v1/payment-links/${hash}/payments`])
  const payers = await tx.idempotency.listAnswersAbout(PUBLIC_OWNER_ID, ids, { since, operations })
  await tx.idempotency.updateBodies([...own, ...payers].map(rewriteAnswer))
}

const eraseEvents = async (tx: Repositories, erasure: Erasure, { limit, now }: Batch) => {
  const { sellerId, scanningSince } = erasure
  const since = scanningSince ?? now
  const seen = await tx.personalData.listEventsAboutErased(sellerId, { afterId: erasure.cursorId, limit })
  const telling = seen.flatMap(({ id, body }) => (body === null ? [] : [{ id, body }]))
  await tx.events.updateBodies(sellerId, telling.map(rewriteEvent))
  await tx.webhookDeliveries.updateAnswersForgotten(
    sellerId,
    telling.map(({ id }) => id),
  )
  await tx.erasures.updateProgress(erasure, {
    cursorId: seen.at(-1)?.id ?? erasure.cursorId,
    scanningSince: since,
    completedAt: seen.length < limit ? now : null,
  })
  if (seen.length < limit) await tx.erasures.updateCompleted(sellerId, new Date(since.getTime() - ID_SLACK_MS), now)
}

type Batch = { limit: number; now: Date }

/**
 * Takes people who were erased out of the copies of what was told of them: events, first answers under an Idempotency-Key,
 * and what webhooks answered. Goes by what payments and customers say now, so that it needs to know nobody.
 */
export const createEraseCopies = ({ transact, clock, batchMax: limit = BATCH_MAX }: Dependencies) => ({
  /** One batch of one erasure. Answers how many it worked on: 0 or 1. */
  runOnce: (): Promise<number> =>
    transact(async (tx) => {
      const erasure = await tx.erasures.claim()
      if (erasure === undefined) return 0
      const batch = { limit, now: clock.now() }
      if (erasure.email !== null) {
        await eraseByEmail(tx, erasure, erasure.email, batch)
        return 1
      }
      if (erasure.scanningSince === null) await eraseAnswers(tx, erasure.sellerId, batch.now)
      await eraseEvents(tx, erasure, batch)
      return 1
    }),
})
