import { and, eq, gt, inArray, isNull, lte, or, type SQL, sql } from 'drizzle-orm'
import type { Reader, Writer } from '../../db/client.ts'
import { linkTokens } from './recovery.tables.ts'

export type LinkToken = typeof linkTokens.$inferSelect
export type LinkPurpose = LinkToken['purpose']

type NewLinkToken = Omit<LinkToken, 'usedAt'>

/** How many links one address is sent for one purpose within an hour, and so for how long they are counted. */
export const LINKS_PER_ADDRESS_MAX = 5
export const LINKS_COUNTED_MS = 3_600_000

const usable = (tokenHash: string, purposes: readonly LinkPurpose[], now: Date): SQL | undefined =>
  and(
    eq(linkTokens.tokenHash, tokenHash),
    inArray(linkTokens.purpose, [...purposes]),
    isNull(linkTokens.usedAt),
    gt(linkTokens.expiresAt, now),
  )

export const createLinkTokensQueries = (db: Reader) => ({
  /** A token that may still be used. */
  async find(tokenHash: string, purposes: readonly LinkPurpose[], now: Date): Promise<LinkToken | undefined> {
    const [token] = await db
      .select()
      .from(linkTokens)
      .where(usable(tokenHash, purposes, now))
    return token
  },
})

export const createLinkTokensRepository = (db: Writer) => ({
  ...createLinkTokensQueries(db),

  /** Adds a token. False: its address has been sent as many as it is sent in an hour, and nothing is added. */
  async insertWithinPace({ createdAt, expiresAt, ...token }: NewLinkToken): Promise<boolean> {
    const at = sql.param(createdAt, linkTokens.createdAt)
    const counted = sql.param(new Date(createdAt.getTime() - LINKS_COUNTED_MS), linkTokens.createdAt)
    const { rowCount } = await db.execute(sql`
      insert into link_tokens (token_hash, purpose, email, user_id, created_at, expires_at)
      select ${token.tokenHash}, ${token.purpose}, ${token.email}, ${token.userId}::uuid, ${at}::timestamptz,
        ${sql.param(expiresAt, linkTokens.expiresAt)}::timestamptz
      where ${LINKS_PER_ADDRESS_MAX} > (
        select count(*) from link_tokens
        where email = ${token.email} and purpose = ${token.purpose} and created_at > ${counted}::timestamptz)`)
    return rowCount === 1
  },

  /** Uses a token up. Undefined: it was used before, has expired, or is none of these purposes. */
  async use(tokenHash: string, purposes: readonly LinkPurpose[], now: Date): Promise<LinkToken | undefined> {
    const [token] = await db
      .update(linkTokens)
      .set({ usedAt: now })
      .where(usable(tokenHash, purposes, now))
      .returning()
    return token
  },

  /** Ends whatever was sent for a user, or to an address of theirs. */
  async deleteOf({ id, email }: { id: string; email: string }): Promise<void> {
    await db.delete(linkTokens).where(or(eq(linkTokens.userId, id), eq(linkTokens.email, email)))
  },

  /** Forgets tokens that ended before an instant. Answers how many. */
  async deleteBefore(instant: Date, limit: number): Promise<number> {
    const old = db
      .select({ tokenHash: linkTokens.tokenHash })
      .from(linkTokens)
      .where(lte(linkTokens.expiresAt, instant))
      .limit(limit)
      .for('update', { skipLocked: true })
    const { rowCount } = await db.delete(linkTokens).where(inArray(linkTokens.tokenHash, sql`(${old})`))
    return rowCount ?? 0
  },
})
