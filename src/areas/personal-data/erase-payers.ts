import { NIL_UUID } from '../../domain/uuid.ts'
import type { NewId } from '../../ids.ts'
import type { Repositories } from '../../repositories.ts'
import type { Erasure } from './erasures.repository.ts'

/** Who is meant, of those who paid a seller. */
export type Payer = { customerId: string } | { document: string } | { email: string } | { paymentId: string }

type Erased = Pick<Erasure, 'customersCount' | 'paymentsCount'>

/** Takes customers out of their record and out of their payments. Those who are gone already are left alone. */
export const eraseCustomers = async (
  tx: Repositories,
  sellerId: string,
  customerIds: readonly string[],
  now: Date,
): Promise<Erased> => {
  const erased = { customersCount: 0, paymentsCount: 0 }
  for (const customerId of customerIds) {
    if (!(await tx.customers.lock(sellerId, customerId))) continue
    await tx.customers.deleteSoftly(sellerId, customerId, now)
    await tx.savedCards.deleteAllOf(sellerId, now, customerId)
    erased.customersCount += 1
    erased.paymentsCount += await tx.payerSnapshots.updateAnonymous(sellerId, { customerId })
  }
  return erased
}

const eraseAtOnce = async (tx: Repositories, sellerId: string, payer: Payer, now: Date): Promise<Erased> => {
  if ('customerId' in payer) return eraseCustomers(tx, sellerId, [payer.customerId], now)
  // Without an index of addresses: the job looks for them.
  if ('email' in payer) return { customersCount: 0, paymentsCount: 0 }
  if ('paymentId' in payer) {
    const paymentsCount = await tx.payerSnapshots.updateAnonymous(sellerId, { ids: [payer.paymentId] })
    return { customersCount: 0, paymentsCount }
  }
  const { document } = payer
  const erased = await eraseCustomers(tx, sellerId, await tx.personalData.listCustomersOf(sellerId, payer), now)
  const others = await tx.payerSnapshots.updateAnonymous(sellerId, { document })
  return { ...erased, paymentsCount: erased.paymentsCount + others }
}

export type EraseInput = { sellerId: string; requestedBy: string; payer: Payer }

/**
 * Erases a payer within a transaction: their customers and what payments tell of them at once, what was told of them to
 * others (events, first answers, answers of webhooks) by the job `eraseCopies`, which the caller has run after the commit.
 * Amounts, ids and dates stay (LGPD, Lei 13.709/2018, arts. 16 and 18). There is no way back.
 */
export const createErasePayer =
  ({ newId }: { newId: NewId }) =>
  async (tx: Repositories, { sellerId, requestedBy, payer }: EraseInput, now: Date): Promise<Erasure> => {
    const erasure: Erasure = {
      sellerId,
      id: newId(),
      requestedBy,
      email: 'email' in payer ? payer.email : null,
      cursorId: NIL_UUID,
      scanningSince: null,
      ...(await eraseAtOnce(tx, sellerId, payer, now)),
      createdAt: now,
      completedAt: null,
    }
    await tx.erasures.insert(erasure)
    return erasure
  }

export type ErasePayer = ReturnType<typeof createErasePayer>
