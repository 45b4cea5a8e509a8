import type { Pool } from 'pg'
import { paymentSettlements, payments } from '../../src/areas/payments/payments.tables.ts'
import { dailyTotals } from '../../src/daily-totals/counting.ts'
import { autocommit, createDatabase } from '../../src/db/client.ts'
import { writeFollowed } from '../../src/db/write.ts'
import { bps, centavos, ZERO } from '../../src/domain/money.ts'
import type { NewId } from '../../src/ids.ts'

/** Where rows are put that the code under test only reads. */
export type RowTarget = { sql: Pool; newId: NewId }

/** A paid Pix payment without any of its consequences: something for holds and settlements to belong to. */
export const insertPayment = async ({ sql, newId }: RowTarget, sellerId: string, amount = 10_000): Promise<string> => {
  const id = newId()
  const now = new Date()
  const insert = autocommit(createDatabase(sql))
    .insert(payments)
    .values({
      sellerId,
      id,
      method: 'pix',
      status: 'paid',
      amount: centavos(amount),
      paidAmount: centavos(amount),
      refundedAmount: ZERO,
      feeAmount: ZERO,
      netAmount: centavos(amount),
      reserveAmount: ZERO,
      installments: 1,
      metadata: {},
      provider: 'sandbox',
      feeId: newId(),
      feePercentage: bps(0),
      feeFixedAmount: ZERO,
      settlementDays: 0,
      reservePercentage: bps(0),
      reserveDays: 30,
      paidAt: now,
      createdAt: now,
      updatedAt: now,
    })
  await writeFollowed(autocommit(createDatabase(sql)), payments, insert, { operation: 'insert', follow: dailyTotals })
  return id
}

type SettlementRow = {
  sellerId: string
  paymentId: string
  installment: number
  amount: number
  availableOn: string
  status?: 'waiting' | 'available'
}

/** One part of a payment's net. */
export const insertSettlement = async ({ sql, newId }: RowTarget, part: SettlementRow): Promise<void> => {
  const now = new Date()
  const insert = autocommit(createDatabase(sql))
    .insert(paymentSettlements)
    .values({
      status: 'waiting',
      ...part,
      id: newId(),
      amount: centavos(part.amount),
      canceledAmount: ZERO,
      createdAt: now,
      updatedAt: now,
    })
  await writeFollowed(autocommit(createDatabase(sql)), paymentSettlements, insert, {
    operation: 'insert',
    follow: dailyTotals,
  })
}
