import { eq, or, sql } from 'drizzle-orm'
import type { Reader, Writer } from '../db/client.ts'
import { databaseNow } from '../db/columns.ts'
import { moveWhere } from '../db/move.ts'
import { MAIL_GIVEN_UP_AFTER_MS, MAILS_KEPT_MS, type MailLanguage, mailLifecycle } from '../domain/mail.ts'
import { NIL_UUID } from '../domain/uuid.ts'
import type { NewId } from '../ids.ts'
import { mails } from './mail.tables.ts'
import type { AskedMailKind, EventMailKind, FactsOf } from './templates/catalogue.ts'

/** A user, at the address that they have when the mail is sent or at one of its own, or nobody but an address. */
export type MailRecipient = { userId: string; address?: string } | { address: string }

/** What gives access, such as the token of a link, is told apart from the rest: it is kept sealed. */
type Told<Facts> = { data: Omit<Facts, 'secret'> } & (Facts extends { secret: infer Secret }
  ? { secret: Secret }
  : { secret?: undefined })

/** A mail that is asked for. */
export type NewMail = {
  [Kind in AskedMailKind]: {
    kind: Kind
    /** Whose account it is about; absent: an administrator's. */
    sellerId?: string | undefined
    to: MailRecipient
    /** Absent: what the user has chosen, or Portuguese. */
    language?: MailLanguage
  } & Told<FactsOf<Kind>>
}[AskedMailKind]

/** A mail that follows from an event of a seller. */
export type EventMail = { sellerId: string; eventId: string; kind: EventMailKind }

export type MailBacklog = {
  /** Mails that wait, at most WAITING_COUNT_MAX. */
  waitingCount: number
  oldestWaitSeconds: number
  /** For how long one has waited that no recipient's server has anything to do with. */
  stuckSeconds: number
  /** Mails of the last 30 days that nobody took. */
  failedCount: number
}

/** Counting stops here: a backlog of this size says enough. */
const WAITING_COUNT_MAX = 100_000

/** What is left of a mail that has ended: that there was one. */
export const ENDED = {
  recipientAddress: null,
  data: null,
  secretSealed: null,
  nextAttemptAt: null,
  leaseToken: null,
  endedAt: databaseNow,
} as const

export const createMailsQueries = (db: Reader) => ({
  /** How far mails are behind, over all processes. */
  async findBacklog(): Promise<MailBacklog> {
    const { rows } = await db.execute<{ [Name in keyof MailBacklog]: number }>(sql`
      with waiting as materialized (
        select created_at, last_result from mails where status = 'waiting' limit ${WAITING_COUNT_MAX}
      )
      select count(*)::integer as "waitingCount",
        coalesce(extract(epoch from now() - min(created_at)), 0)::float8 as "oldestWaitSeconds",
        coalesce(extract(epoch from now() - min(created_at) filter (where last_result is distinct from 'deferred')), 0)::float8
          as "stuckSeconds",
        (select count(*)::integer from mails where status = 'failed') as "failedCount"
      from waiting`)
    return rows[0] ?? { waitingCount: 0, oldestWaitSeconds: 0, stuckSeconds: 0, failedCount: 0 }
  },
})

const giveUpAt = sql<Date>`${databaseNow} + ${MAIL_GIVEN_UP_AFTER_MS} * interval '1 millisecond'`

/** `seal` encrypts what mails keep secret. `onAdded` is called for mails that are written, long before they are committed. */
export type MailsSurroundings = { seal: (plain: string) => string; onAdded: () => void }

const createAdding = (db: Writer, newId: NewId, { seal, onAdded }: MailsSurroundings) => ({
  /** Asks for mails in the transaction that causes them. They are sent when it has been committed. */
  async add(asked: readonly NewMail[]): Promise<void> {
    if (asked.length === 0) return
    await db.insert(mails).values(
      asked.map(({ kind, sellerId = NIL_UUID, to, language, data, secret }) => ({
        id: newId(),
        sellerId,
        kind,
        language,
        recipientUserId: 'userId' in to ? to.userId : null,
        recipientAddress: to.address ?? null,
        data,
        secretSealed: secret === undefined ? null : seal(JSON.stringify(secret)),
        status: 'waiting' as const,
        nextAttemptAt: databaseNow,
        giveUpAt,
        createdAt: databaseNow,
      })),
    )
    onAdded()
  },

  /** Adds mails that follow from events, each once. Of receipts those whose payers gave an address. */
  async addOfEvents(wanted: readonly EventMail[]): Promise<void> {
    if (wanted.length === 0) return
    const rows = wanted.map(({ sellerId, eventId, kind }) => ({
      seller_id: sellerId,
      id: newId(),
      event_id: eventId,
      kind,
      user_id: kind === 'payment_receipt' ? null : sellerId,
    }))
    const { rowCount } = await db.execute(sql`
      insert into mails (seller_id, id, kind, recipient_user_id, event_id, status, attempts_made, next_attempt_at, give_up_at,
        created_at)
      select given.seller_id, given.id, given.kind, given.user_id, given.event_id, 'waiting', 0, ${databaseNow}, ${giveUpAt},
        ${databaseNow}
      from json_to_recordset(${JSON.stringify(rows)}::json)
        as given(seller_id uuid, id uuid, event_id uuid, kind text, user_id uuid)
      join events on events.seller_id = given.seller_id and events.id = given.event_id
      where given.user_id is not null or events.body::json #>> '{data,customer,email}' is not null
      on conflict (seller_id, event_id, kind) where event_id is not null do nothing`)
    if (rowCount !== 0) onAdded()
  },
})

export const createMailsRepository = (db: Writer, newId: NewId, surroundings: MailsSurroundings) => ({
  ...createMailsQueries(db),
  ...createAdding(db, newId, surroundings),

  /** Ends what waits for a user, or for anybody because of their account: what it says and the addresses are erased. */
  async cancelOf(userId: string): Promise<void> {
    await moveWhere(db, mails, mailLifecycle, {
      from: 'waiting',
      to: 'canceled',
      changes: { ...ENDED, reason: 'erased' },
      where: or(eq(mails.recipientUserId, userId), eq(mails.sellerId, userId)),
    })
  },

  /** Ends everything that waits. Answers how many mails that were. */
  async cancelAll(): Promise<number> {
    const canceled = await moveWhere(db, mails, mailLifecycle, {
      from: 'waiting',
      to: 'canceled',
      changes: { ...ENDED, reason: 'erased' },
      where: undefined,
    })
    return canceled.length
  },

  /** Forgets mails that were asked for 30 days ago. Answers how many. */
  async deleteOld(limit: number): Promise<number> {
    const { rowCount } = await db.execute(sql`
      delete from mails where (seller_id, id) in (
        select seller_id, id from mails
        where created_at < now() - ${MAILS_KEPT_MS} * interval '1 millisecond' and status <> 'waiting'
        limit ${limit} for update skip locked)`)
    return rowCount ?? 0
  },
})
