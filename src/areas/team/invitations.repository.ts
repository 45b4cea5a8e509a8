import { and, eq, gt, inArray, isNull, lte, sql } from 'drizzle-orm'
import type { Reader, Writer } from '../../db/client.ts'
import { invitations } from './invitations.tables.ts'

export type Invitation = typeof invitations.$inferSelect

const of = (sellerId: string | null) =>
  sellerId === null ? isNull(invitations.sellerId) : eq(invitations.sellerId, sellerId)

const open = (now: Date) => gt(invitations.expiresAt, now)

export const createInvitationsQueries = (db: Reader) => ({
  /** The open invitation that a token is for. */
  async findByToken(tokenHash: string, now: Date): Promise<Invitation | undefined> {
    const [found] = await db
      .select()
      .from(invitations)
      .where(and(eq(invitations.tokenHash, tokenHash), open(now)))
    return found
  },

  /** Open invitations to a seller's account, in no order: a team is small. */
  async listOpen(sellerId: string, now: Date): Promise<Invitation[]> {
    return db
      .select()
      .from(invitations)
      .where(and(of(sellerId), open(now)))
  },
})

export const createInvitationsRepository = (db: Writer) => ({
  ...createInvitationsQueries(db),

  /** Puts an invitation in place of an earlier one of the same address to the same account. */
  async put(invitation: Invitation): Promise<void> {
    await db.delete(invitations).where(and(of(invitation.sellerId), eq(invitations.email, invitation.email)))
    await db.insert(invitations).values(invitation)
  },

  /** Uses an invitation up. False: it was used, withdrawn or replaced, or has expired. */
  async take({ id, tokenHash }: Pick<Invitation, 'id' | 'tokenHash'>, now: Date): Promise<boolean> {
    const { rowCount } = await db
      .delete(invitations)
      .where(and(eq(invitations.id, id), eq(invitations.tokenHash, tokenHash), open(now)))
    return rowCount === 1
  },

  /** Withdraws an invitation to an account, or to the administrators. Undefined: there is none with this id. */
  async withdraw(sellerId: string | null, id: string): Promise<Invitation | undefined> {
    const [withdrawn] = await db
      .delete(invitations)
      .where(and(of(sellerId), eq(invitations.id, id)))
      .returning()
    return withdrawn
  },

  /** Withdraws every invitation to an account that ends. */
  async deleteAllOf(sellerId: string): Promise<void> {
    await db.delete(invitations).where(of(sellerId))
  },

  /** Forgets invitations that expired before an instant. Answers how many. */
  async deleteBefore(instant: Date, limit: number): Promise<number> {
    const old = db
      .select({ id: invitations.id })
      .from(invitations)
      .where(lte(invitations.expiresAt, instant))
      .limit(limit)
      .for('update', { skipLocked: true })
    const { rowCount } = await db.delete(invitations).where(inArray(invitations.id, sql`(${old})`))
    return rowCount ?? 0
  },
})
