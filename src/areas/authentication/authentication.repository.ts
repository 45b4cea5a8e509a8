import { and, eq, gt, inArray, isNull, lte, ne, or, sql } from 'drizzle-orm'
import type { Executor } from '../../db/client.ts'
import { apiCredentials } from '../integrations/integrations.tables.ts'
import { users } from '../users/users.tables.ts'
import { refreshTokens, sessions } from './authentication.tables.ts'

export type Session = typeof sessions.$inferSelect
export type RefreshToken = typeof refreshTokens.$inferInsert

const live = (now: Date) => and(isNull(sessions.revokedAt), gt(sessions.expiresAt, now))

const createRefreshTokens = (db: Executor) => ({
  /** A refresh token with its session's owner, whatever state both are in. */
  async findRefreshToken(tokenHash: string) {
    const [token] = await db
      .select({ sessionId: refreshTokens.sessionId, userId: sessions.userId })
      .from(refreshTokens)
      .innerJoin(sessions, eq(sessions.id, refreshTokens.sessionId))
      .where(eq(refreshTokens.tokenHash, tokenHash))
    return token
  },

  async insertRefreshToken(token: RefreshToken): Promise<void> {
    await db.insert(refreshTokens).values(token)
  },

  /** Marks a refresh token as used. False: it was used before, or has expired. */
  async useRefreshToken(tokenHash: string, now: Date): Promise<boolean> {
    const { rowCount } = await db
      .update(refreshTokens)
      .set({ usedAt: now })
      .where(
        and(eq(refreshTokens.tokenHash, tokenHash), isNull(refreshTokens.usedAt), gt(refreshTokens.expiresAt, now)),
      )
    return rowCount === 1
  },
})

export const createAuthenticationRepository = (db: Executor) => ({
  ...createRefreshTokens(db),

  /** Who a live session belongs to, and what its API credentials allow right now: one look-up per index. */
  async findSessionOwner(sessionId: string, userId: string, now: Date) {
    const [owner] = await db
      .select({
        role: users.role,
        kind: sessions.kind,
        sessionScopes: sessions.scopes,
        scopes: apiCredentials.scopes,
        allowedIps: apiCredentials.allowedIps,
      })
      .from(sessions)
      .innerJoin(users, eq(users.id, sessions.userId))
      .leftJoin(apiCredentials, and(eq(sessions.kind, 'credentials'), eq(apiCredentials.sellerId, users.id)))
      .where(and(eq(sessions.id, sessionId), eq(sessions.userId, userId), live(now), isNull(users.deletedAt)))
    return owner
  },

  /** The ids of a user's live sessions. */
  async listLiveSessions(userId: string, kind: Session['kind'], now: Date): Promise<string[]> {
    const found = await db
      .select({ id: sessions.id })
      .from(sessions)
      .where(and(eq(sessions.userId, userId), eq(sessions.kind, kind), live(now)))
    return found.map(({ id }) => id)
  },

  async insertSession(session: Session): Promise<void> {
    await db.insert(sessions).values(session)
  },

  /** Prolongs a session. False: it was revoked, has expired, or its user was deleted. */
  async extendSession(sessionId: string, expiresAt: Date, now: Date): Promise<boolean> {
    const { rowCount } = await db
      .update(sessions)
      .set({ expiresAt })
      .from(users)
      .where(and(eq(sessions.id, sessionId), eq(users.id, sessions.userId), live(now), isNull(users.deletedAt)))
    return rowCount === 1
  },

  async revokeSession(sessionId: string, now: Date): Promise<void> {
    await db
      .update(sessions)
      .set({ revokedAt: now })
      .where(and(eq(sessions.id, sessionId), isNull(sessions.revokedAt)))
  },

  /** Revokes all sessions of a user but one, and answers which. */
  async revokeSessions(userId: string, now: Date, exceptSessionId: string | null = null): Promise<string[]> {
    const others = exceptSessionId === null ? undefined : ne(sessions.id, exceptSessionId)
    const revoked = await db
      .update(sessions)
      .set({ revokedAt: now })
      .where(and(eq(sessions.userId, userId), isNull(sessions.revokedAt), others))
      .returning({ id: sessions.id })
    return revoked.map(({ id }) => id)
  },

  /** Forgets sessions that ended before an instant, with their refresh tokens. Answers how many. */
  async deleteSessionsBefore(instant: Date, limit: number): Promise<number> {
    const ended = db
      .select({ id: sessions.id })
      .from(sessions)
      .where(or(lte(sessions.expiresAt, instant), lte(sessions.revokedAt, instant)))
      .limit(limit)
      .for('update', { skipLocked: true })
    const { rowCount } = await db.delete(sessions).where(inArray(sessions.id, sql`(${ended})`))
    return rowCount ?? 0
  },
})
