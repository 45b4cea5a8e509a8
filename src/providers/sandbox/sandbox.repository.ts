import { and, asc, eq, gte, inArray, isNull, lt, sql } from 'drizzle-orm'
import type { Reader, Writer } from '../../db/client.ts'
import { type Centavos, centavos } from '../../domain/money.ts'
import { platformClock, sandboxCards, sandboxRecords } from './sandbox.tables.ts'

/** With what its statement says. */
export type BookedRecord = typeof sandboxRecords.$inferSelect
export type SandboxRecord = Omit<BookedRecord, 'feeAmount'>
export type SandboxRecordKind = SandboxRecord['kind']

const THE_ROW = 1
/** What a record is when its money has moved. */
const BOOKED = ['paid', 'completed', 'lost']

export const createSandboxQueries = (db: Reader) => ({
  async findRecord(kind: SandboxRecordKind, reference: string): Promise<SandboxRecord | undefined> {
    const [record] = await db
      .select()
      .from(sandboxRecords)
      .where(and(eq(sandboxRecords.kind, kind), eq(sandboxRecords.reference, reference)))
    return record
  },

  /** The charge, payout or refund of that name that moved money. */
  async findBooked(reference: string): Promise<BookedRecord | undefined> {
    const { kind, status } = sandboxRecords
    const [record] = await db
      .select()
      .from(sandboxRecords)
      .where(
        and(
          inArray(kind, ['charge', 'payout', 'refund']),
          eq(sandboxRecords.reference, reference),
          inArray(status, ['paid', 'completed']),
        ),
      )
    return record
  },

  /** What moved money in a half open period, in the order of its time, behind a place. */
  async listBooked(
    { from, to }: { from: Date; to: Date },
    after: { updatedAt: Date; reference: string } | undefined,
    limit: number,
  ): Promise<BookedRecord[]> {
    const { status, updatedAt, reference } = sandboxRecords
    const behind =
      after && sql`(${updatedAt}, ${reference}) > (${after.updatedAt.toISOString()}::timestamptz, ${after.reference})`
    return db
      .select()
      .from(sandboxRecords)
      .where(and(inArray(status, BOOKED), gte(updatedAt, from), lt(updatedAt, to), behind))
      .orderBy(asc(updatedAt), asc(reference))
      .limit(limit)
  },

  /** Whether it keeps a card, and has not forgotten it. */
  async hasCard(reference: string): Promise<boolean> {
    const kept = and(eq(sandboxCards.reference, reference), isNull(sandboxCards.deletedAt))
    return (await db.$count(sandboxCards, kept)) === 1
  },

  /** What came in less what went out and what was kept. Reads every record: for a look now and then. */
  async sumBooked(): Promise<Centavos> {
    const { kind, amount, feeAmount, status } = sandboxRecords
    const [row] = await db
      .select({
        total: sql<string>`coalesce(sum(case ${kind} when 'charge' then ${amount} else -${amount} end - coalesce(${feeAmount}, 0)), 0)`,
      })
      .from(sandboxRecords)
      .where(inArray(status, BOOKED))
    return centavos(Number(row?.total ?? 0))
  },

  /** How far the platform's clock runs ahead, in milliseconds. */
  async findClockOffset(): Promise<number> {
    const [row] = await db.select({ offsetMs: platformClock.offsetMs }).from(platformClock)
    return row?.offsetMs ?? 0
  },
})

export const createSandboxRepository = (db: Writer) => ({
  ...createSandboxQueries(db),

  /** Writes a record unless there is one, and answers the one that stands. */
  async insertRecordOnce(record: SandboxRecord): Promise<SandboxRecord> {
    const [inserted] = await db.insert(sandboxRecords).values(record).onConflictDoNothing().returning()
    return inserted ?? (await this.findRecord(record.kind, record.reference)) ?? record
  },

  async putRecord(record: SandboxRecord): Promise<void> {
    const { status, amount, endToEndId, updatedAt } = record
    await db
      .insert(sandboxRecords)
      .values(record)
      .onConflictDoUpdate({
        target: [sandboxRecords.kind, sandboxRecords.reference],
        set: { status, amount, endToEndId, updatedAt },
      })
  },

  /** Writes a record as its statement is to have it. */
  async putBooked(record: BookedRecord): Promise<void> {
    const { status, amount, endToEndId, feeAmount, updatedAt } = record
    await db
      .insert(sandboxRecords)
      .values(record)
      .onConflictDoUpdate({
        target: [sandboxRecords.kind, sandboxRecords.reference],
        set: { status, amount, endToEndId, feeAmount, updatedAt },
      })
  },

  async deleteRecord({ kind, reference }: Pick<SandboxRecord, 'kind' | 'reference'>): Promise<void> {
    await db.delete(sandboxRecords).where(and(eq(sandboxRecords.kind, kind), eq(sandboxRecords.reference, reference)))
  },

  /** Moves a record on from one of the states given, and to another amount where one is given. False: it stands elsewhere. */
  async moveRecord(
    record: Pick<SandboxRecord, 'kind' | 'reference' | 'status' | 'updatedAt'> & { amount?: Centavos | undefined },
    from: readonly string[],
  ) {
    const { rowCount } = await db
      .update(sandboxRecords)
      .set({ status: record.status, updatedAt: record.updatedAt, ...(record.amount && { amount: record.amount }) })
      .where(
        and(
          eq(sandboxRecords.kind, record.kind),
          eq(sandboxRecords.reference, record.reference),
          inArray(sandboxRecords.status, [...from]),
        ),
      )
    return rowCount === 1
  },

  /** Keeps a card, unless it was told to forget it. */
  async insertCardOnce(reference: string, now: Date): Promise<void> {
    await db.insert(sandboxCards).values({ reference, createdAt: now, deletedAt: null }).onConflictDoNothing()
  },

  /** Forgets a card, also one that it has yet to hear of. */
  async deleteCard(reference: string, now: Date): Promise<void> {
    await db
      .insert(sandboxCards)
      .values({ reference, createdAt: now, deletedAt: now })
      .onConflictDoUpdate({ target: sandboxCards.reference, set: { deletedAt: now } })
  },

  /** Moves the platform's clock forward for all processes; never back. */
  async moveClock(offsetMs: number): Promise<void> {
    await db
      .insert(platformClock)
      .values({ id: THE_ROW, offsetMs })
      .onConflictDoUpdate({
        target: platformClock.id,
        set: { offsetMs: sql`greatest(${platformClock.offsetMs}, excluded.offset_ms)` },
      })
  },
})
