import { and, asc, eq, inArray, isNull, or, type SQL, sql } from 'drizzle-orm'
import { uuids } from '../../db/arrays.ts'
import type { Reader, Writer } from '../../db/client.ts'
import { outdatedRead, violates } from '../../db/errors.ts'
import { madeWithin } from '../../db/id-period.ts'
import type { Page, PageRequest } from '../../db/page.ts'
import { readPage } from '../../db/paging.ts'
import { type FeeKey, mostSpecificFee } from '../../domain/fees.ts'
import type { PaymentMethod } from '../../domain/payment.ts'
import type { Period } from '../../domain/period.ts'
import { feeErrors } from './fees.errors.ts'
import { fees } from './fees.tables.ts'

export type Fee = typeof fees.$inferSelect
export type FeeFilter = Period & {
  sellerId?: string | undefined
  methods?: readonly PaymentMethod[] | undefined
  isActive?: boolean | undefined
}

const namingOverlap = (error: unknown): never => {
  throw violates(error, 'fees_band_ex') ? feeErrors.overlaps() : error
}

const selected = ({ sellerId, methods, isActive, from, to }: FeeFilter): SQL | undefined =>
  and(
    sellerId === undefined ? undefined : eq(fees.sellerId, sellerId),
    methods === undefined || methods.length === 0 ? undefined : inArray(fees.method, [...methods]),
    isActive === undefined ? undefined : eq(fees.isActive, isActive),
    madeWithin(fees, { from, to }),
  )

const isOwnOrGeneral = (sellerIds: readonly string[]): SQL | undefined =>
  or(isNull(fees.sellerId), sql`${fees.sellerId} = any(${uuids([...new Set(sellerIds)])})`)

const listFor = (db: Reader, sellerIds: readonly string[]): Promise<Fee[]> =>
  db
    .select()
    .from(fees)
    .where(and(eq(fees.isActive, true), isOwnOrGeneral(sellerIds)))

export const createFeesQueries = (db: Reader) => ({
  async find(id: string): Promise<Fee | undefined> {
    const [fee] = await db.select().from(fees).where(eq(fees.id, id))
    return fee
  },

  /** Newest first. */
  async list(filter: FeeFilter, page: PageRequest): Promise<Page<Fee>> {
    return readPage({ db, table: fees, id: fees.id, where: selected(filter) }, page)
  },

  async countAll(): Promise<number> {
    return db.$count(fees)
  },

  /** The active fees that a seller could be charged: their own and everyone's. */
  async listForSeller(sellerId: string): Promise<Fee[]> {
    return listFor(db, [sellerId])
  },

  /** The fee of each payment to come, in the order of the keys; undefined where none is configured. One statement. */
  async findApplicable(keys: readonly FeeKey[]): Promise<(Fee | undefined)[]> {
    if (keys.length === 0) return []
    const found = await listFor(
      db,
      keys.map(({ sellerId }) => sellerId),
    )
    return keys.map((key) => mostSpecificFee(found, key))
  },
})

export const createFeesRepository = (db: Writer) => ({
  ...createFeesQueries(db),

  /** Throws fee.overlaps when an active fee of the same scope covers one of its installments. */
  async insert(rows: readonly Fee[]): Promise<void> {
    await db
      .insert(fees)
      .values([...rows])
      .catch(namingOverlap)
  },

  /**
   * Notes the first payment that was made with each of these: from now on they are closed, not edited. One that was
   * edited since it was read has the transaction tried again, so that a payment and its fee say the same.
   */
  async updateUsed(used: readonly Fee[], now: Date): Promise<void> {
    const fresh = new Map(used.flatMap((fee) => (fee.usedAt === null ? [[fee.id, fee]] : [])))
    if (fresh.size === 0) return
    // In the order of the ids, so that two batches cannot wait for each other.
    const found = await db
      .select()
      .from(fees)
      .where(inArray(fees.id, [...fresh.keys()]))
      .orderBy(asc(fees.id))
      .for('update')
    const isAsRead = ({ id, updatedAt }: Fee) => updatedAt.getTime() === fresh.get(id)?.updatedAt.getTime()
    if (!found.every(isAsRead)) throw outdatedRead('a fee')
    await db
      .update(fees)
      .set({ usedAt: now })
      .where(and(inArray(fees.id, [...fresh.keys()]), isNull(fees.usedAt)))
  },

  /** Locks a fee until the transaction ends. */
  async lock(id: string): Promise<Fee | undefined> {
    const [fee] = await db.select().from(fees).where(eq(fees.id, id)).for('update')
    return fee
  },

  /** Makes every other process wait until this transaction has looked whether there are fees and made the first. */
  async lockAll(): Promise<void> {
    await db.execute(sql`lock table fees in share row exclusive mode`)
  },

  /** Throws fee.overlaps. */
  async update(id: string, changes: Partial<Omit<Fee, 'id' | 'createdAt'>>): Promise<void> {
    await db.update(fees).set(changes).where(eq(fees.id, id)).catch(namingOverlap)
  },
})
