import { asc, eq } from 'drizzle-orm'
import type { Reader, Writer } from '../../db/client.ts'
import type { DisputeType } from '../../domain/dispute.ts'
import { type Centavos, ZERO } from '../../domain/money.ts'
import { disputeFees } from './disputes.tables.ts'

export type DisputeFee = typeof disputeFees.$inferSelect

export const createDisputeFeesQueries = (db: Reader) => ({
  /** What losing a dispute of this type costs, in centavos. Zero where nobody set anything. */
  async findAmount(type: DisputeType): Promise<Centavos> {
    const [row] = await db.select().from(disputeFees).where(eq(disputeFees.type, type))
    return row?.feeAmount ?? ZERO
  },

  async list(): Promise<DisputeFee[]> {
    return db.select().from(disputeFees).orderBy(asc(disputeFees.type))
  },
})

export const createDisputeFeesRepository = (db: Writer) => ({
  ...createDisputeFeesQueries(db),

  /** Locks the fee of a type until the transaction ends. */
  async lock(type: DisputeType): Promise<DisputeFee | undefined> {
    const [row] = await db.select().from(disputeFees).where(eq(disputeFees.type, type)).for('update')
    return row
  },

  /** Writes a fee, and answers it. One that is there keeps its id and its first instant. */
  async put(fee: DisputeFee): Promise<DisputeFee> {
    const { feeAmount, updatedAt } = fee
    const [row] = await db
      .insert(disputeFees)
      .values(fee)
      .onConflictDoUpdate({ target: disputeFees.type, set: { feeAmount, updatedAt } })
      .returning()
    return row ?? fee
  },
})
