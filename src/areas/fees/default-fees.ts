import type { Clock } from '../../clock.ts'
import { bps, centavos } from '../../domain/money.ts'
import type { PaymentMethod } from '../../domain/payment.ts'
import type { NewId } from '../../ids.ts'
import type { Reads, Transact } from '../../repositories.ts'

type Tariff = {
  method: PaymentMethod
  installments: readonly [from: number, to: number]
  percentageBps: number
  fixedAmount: number
  settlementDays: number
}

/** What the platform charges until an administrator says otherwise. */
const TARIFFS: readonly Tariff[] = [
  { method: 'pix', installments: [1, 1], percentageBps: 99, fixedAmount: 0, settlementDays: 0 },
  { method: 'boleto', installments: [1, 1], percentageBps: 0, fixedAmount: 349, settlementDays: 1 },
  { method: 'credit_card', installments: [1, 1], percentageBps: 399, fixedAmount: 39, settlementDays: 30 },
  { method: 'credit_card', installments: [2, 6], percentageBps: 449, fixedAmount: 49, settlementDays: 30 },
  { method: 'credit_card', installments: [7, 12], percentageBps: 499, fixedAmount: 49, settlementDays: 30 },
]

type Dependencies = { read: Pick<Reads, 'fees'>; transact: Transact; clock: Clock; newId: NewId }

/**
 * Gives a platform that has never had a fee its default ones, once, whatever number of processes start at the same
 * moment. Fees that were all closed later stay closed. Answers how many were made.
 */
export const createEnsureDefaultFees =
  ({ read, transact, clock, newId }: Dependencies) =>
  async (): Promise<number> => {
    if ((await read.fees.countAll()) > 0) return 0
    return transact(async (tx) => {
      await tx.fees.lockAll()
      if ((await tx.fees.countAll()) > 0) return 0
      const now = clock.now()
      const rows = TARIFFS.map(({ method, installments: [from, to], percentageBps, fixedAmount, settlementDays }) => ({
        id: newId(),
        sellerId: null,
        method,
        installmentsFrom: from,
        installmentsTo: to,
        percentage: bps(percentageBps),
        fixedAmount: centavos(fixedAmount),
        minAmount: null,
        maxAmount: null,
        settlementDays,
        isActive: true,
        usedAt: null,
        createdAt: now,
        updatedAt: now,
      }))
      await tx.fees.insert(rows)
      return rows.length
    })
  }
