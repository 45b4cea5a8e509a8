import { and, eq, inArray, sql } from 'drizzle-orm'
import type { Executor } from '../../db/client.ts'
import { platformClock, sandboxRecords } from './sandbox.tables.ts'

export type SandboxRecord = typeof sandboxRecords.$inferSelect
export type SandboxRecordKind = SandboxRecord['kind']

const THE_ROW = 1

export const createSandboxRepository = (db: Executor) => ({
  async findRecord(kind: SandboxRecordKind, reference: string): Promise<SandboxRecord | undefined> {
    const [record] = await db
      .select()
      .from(sandboxRecords)
      .where(and(eq(sandboxRecords.kind, kind), eq(sandboxRecords.reference, reference)))
    return record
  },

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

  /** Moves a record on from one of the states given. False: it stands elsewhere. */
  async moveRecord(
    record: Pick<SandboxRecord, 'kind' | 'reference' | 'status' | 'updatedAt'>,
    from: readonly string[],
  ) {
    const { rowCount } = await db
      .update(sandboxRecords)
      .set({ status: record.status, updatedAt: record.updatedAt })
      .where(
        and(
          eq(sandboxRecords.kind, record.kind),
          eq(sandboxRecords.reference, record.reference),
          inArray(sandboxRecords.status, [...from]),
        ),
      )
    return rowCount === 1
  },

  /** How far the platform's clock runs ahead, in milliseconds. */
  async findClockOffset(): Promise<number> {
    const [row] = await db.select({ offsetMs: platformClock.offsetMs }).from(platformClock)
    return row?.offsetMs ?? 0
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
