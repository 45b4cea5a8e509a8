import { and, asc, eq, isNull, lte, or, type SQL, sql } from 'drizzle-orm'
import { uuids } from '../db/arrays.ts'
import type { Reader, Writer } from '../db/client.ts'
import { databaseNow } from '../db/columns.ts'
import { moveWhere } from '../db/move.ts'
import { type MailStatus, mailLifecycle } from '../domain/mail.ts'
import { mails } from './mail.tables.ts'
import { ENDED } from './mails.repository.ts'

export type MailRow = typeof mails.$inferSelect

/** One claim, and the domain that new Message-IDs are of. */
export type MailLease = { token: string; leaseMs: number; domain: string }

/** A mail that one worker alone may send, until its lease ends. */
export type LeasedMail = MailRow & { leaseToken: string; messageId: string }

/** What an attempt brought: `lastResult` in a word, and what the server answered, if it did. */
export type Attempt = { lastResult: string; replyCode: number | null }

const leased = ({ sellerId, id, leaseToken }: LeasedMail) =>
  and(eq(mails.sellerId, sellerId), eq(mails.id, id), eq(mails.leaseToken, leaseToken))

const fromNow = (ms: number) => sql<Date>`${databaseNow} + ${ms} * interval '1 millisecond'`

/** Locks some mails that wait, the longest due first, and answers which; undefined where there is none to be had. */
const lockWaiting = async (db: Writer, where: SQL | undefined, limit: number): Promise<SQL | undefined> => {
  const found = await db
    .select({ sellerId: mails.sellerId, id: mails.id })
    .from(mails)
    .where(and(eq(mails.status, 'waiting'), where))
    .orderBy(asc(mails.nextAttemptAt), asc(mails.id))
    .limit(limit)
    .for('update', { skipLocked: true })
  if (found.length === 0) return undefined
  const [sellerIds, ids] = [uuids(found.map(({ sellerId }) => sellerId)), uuids(found.map(({ id }) => id))]
  return sql`(${mails.sellerId}, ${mails.id}) in (select * from unnest(${sellerIds}, ${ids}))`
}

export const createMailQueueQueries = (db: Reader) => ({
  /** Whether any mail is due: what an idle worker asks. */
  async findDue(): Promise<boolean> {
    const due = await db
      .select({ id: mails.id })
      .from(mails)
      .where(and(eq(mails.status, 'waiting'), lte(mails.nextAttemptAt, sql`now()`)))
      .limit(1)
    return due.length > 0
  },
})

/** The mails that wait, as who sends them sees them. The database’s clock alone decides. */
export const createMailQueueRepository = (db: Writer) => ({
  ...createMailQueueQueries(db),

  /** Leases due mails, the longest due first; those that another worker has are left to it. */
  async claim({ token, leaseMs, domain }: MailLease, limit: number): Promise<LeasedMail[]> {
    const due = await lockWaiting(db, lte(mails.nextAttemptAt, sql`now()`), limit)
    if (due === undefined) return []
    const claimed = await moveWhere(db, mails, mailLifecycle, {
      from: 'waiting',
      to: 'waiting',
      changes: {
        leaseToken: token,
        nextAttemptAt: fromNow(leaseMs),
        messageId: sql`coalesce(${mails.messageId}, '<' || ${mails.id} || ${`@${domain}>`}::text)`,
      },
      where: due,
    })
    return claimed as LeasedMail[]
  },

  /** Ends a lease with the mail. False: the lease was no longer ours, and nothing changed. */
  async end(mail: LeasedMail, to: MailStatus, end: Partial<Pick<MailRow, 'reason' | keyof Attempt>>): Promise<boolean> {
    const attempts = end.lastResult === undefined ? {} : { attemptsMade: mail.attemptsMade + 1 }
    const changes = { ...ENDED, ...end, ...attempts }
    const moved = await moveWhere(db, mails, mailLifecycle, { from: 'waiting', to, changes, where: leased(mail) })
    return moved.length === 1
  },

  /** Ends a lease with another attempt after a pause. False: the lease was no longer ours, and nothing changed. */
  async postpone(mail: LeasedMail, delayMs: number, attempt: Attempt): Promise<boolean> {
    const changes = {
      ...attempt,
      attemptsMade: mail.attemptsMade + 1,
      leaseToken: null,
      nextAttemptAt: fromNow(delayMs),
    }
    const move = { from: 'waiting', to: 'waiting', changes, where: leased(mail) } as const
    return (await moveWhere(db, mails, mailLifecycle, move)).length === 1
  },

  /** Gives up mails that have been tried for too long, some at a time. Answers how many that were. */
  async expire(limit: number): Promise<number> {
    // Whoever holds a lease may be about to say that the mail was sent.
    const isFree = or(isNull(mails.leaseToken), lte(mails.nextAttemptAt, sql`now()`))
    const where = await lockWaiting(db, and(lte(mails.giveUpAt, sql`now()`), isFree), limit)
    if (where === undefined) return 0
    const changes = { ...ENDED, reason: 'expired' }
    return (await moveWhere(db, mails, mailLifecycle, { from: 'waiting', to: 'failed', changes, where })).length
  },
})
