import { and, desc, eq, or, type SQL } from 'drizzle-orm'
import type { Reader, Writer } from '../db/client.ts'
import { madeWithin } from '../db/id-period.ts'
import type { Page, PageRequest } from '../db/page.ts'
import { readPage } from '../db/paging.ts'
import type { Actor } from '../domain/actor.ts'
import { maskPersonalText } from '../domain/masks.ts'
import type { Period } from '../domain/period.ts'
import type { NewId } from '../ids.ts'
import { auditLog } from './audit.tables.ts'

/**
 * One act. `before` and `after` hold only what changed. Names, addresses and secrets are left out by the caller; e-mail
 * addresses, phones and tax numbers are masked here wherever they stand, also in what administrators wrote.
 */
export type AuditEntry = {
  actor: { userId: Actor['userId']; role: Actor['role'] | 'nobody' }
  action: string
  targetType: string
  targetId: string
  sellerId?: string
  before?: Record<string, unknown>
  after?: Record<string, unknown>
}

export type AuditRow = typeof auditLog.$inferSelect

export type AuditFilter = Period & {
  actorId?: string | undefined
  targetId?: string | undefined
  sellerId?: string | undefined
  action?: string | undefined
}

const masked = (value: unknown): unknown => {
  if (typeof value === 'string') return maskPersonalText(value)
  if (Array.isArray(value)) return value.map(masked)
  if (typeof value !== 'object' || value === null || value instanceof Date) return value
  return Object.fromEntries(Object.entries(value).map(([name, field]) => [name, masked(field)]))
}

const maskedState = (state: AuditEntry['before']) => (state === undefined ? null : (masked(state) as typeof state))

const EXACT = ['actorId', 'targetId', 'sellerId', 'action'] as const

const selected = ({ from, to, ...filter }: AuditFilter): SQL | undefined =>
  and(
    ...EXACT.map((name) => (filter[name] === undefined ? undefined : eq(auditLog[name], filter[name]))),
    madeWithin(auditLog, { from, to }),
  )

const about = (id: string): SQL | undefined =>
  or(eq(auditLog.targetId, id), eq(auditLog.actorId, id), eq(auditLog.sellerId, id))

export const createAuditQueries = (db: Reader) => ({
  /** Newest first. */
  async list(filter: AuditFilter, page: PageRequest): Promise<Page<AuditRow>> {
    return readPage({ db, table: auditLog, id: auditLog.id, where: selected(filter) }, page)
  },

  /** What somebody did and what was done to them or to things of theirs, newest first. */
  async listAbout(id: string, limit: number): Promise<AuditRow[]> {
    return db.select().from(auditLog).where(about(id)).orderBy(desc(auditLog.id)).limit(limit)
  },

  async countAbout(id: string): Promise<number> {
    return db.$count(auditLog, about(id))
  },
})

export const createAuditRepository = (db: Writer, newId: NewId) => ({
  ...createAuditQueries(db),

  async add({ actor, sellerId, before, after, ...entry }: AuditEntry, now: Date): Promise<void> {
    await db.insert(auditLog).values({
      ...entry,
      id: newId(),
      actorId: actor.userId,
      actorRole: actor.role,
      sellerId: sellerId ?? null,
      before: maskedState(before),
      after: maskedState(after),
      createdAt: now,
    })
  },
})

export type AuditRepository = ReturnType<typeof createAuditRepository>
