import { and, eq, gt, inArray, isNull, lte, ne, notInArray, or, sql } from 'drizzle-orm'
import { uuids } from '../../db/arrays.ts'
import type { Reader, Writer } from '../../db/client.ts'
import type { Page, PageRequest } from '../../db/page.ts'
import { readPage } from '../../db/paging.ts'
import type { Actor, Scope } from '../../domain/actor.ts'
import { users } from '../users/users.tables.ts'
import { refreshTokens, sessions } from './authentication.tables.ts'

export type Session = typeof sessions.$inferSelect
export type RefreshToken = typeof refreshTokens.$inferInsert

/** The session and the user that an access token names. */
export type SessionClaim = { sid: string; sub: string }

export type SessionOwner = Pick<Session, 'kind'> & {
  sessionId: string
  userId: string
  role: Actor['role']
  accessRole: Actor['accessRole']
  sellerId: string
  provedAtMs: number
  hasSecondFactor: boolean
  hasMadeUpPassword: boolean
  /** What the session was opened for, and what the credentials allow by now; null for a person's session. */
  sessionScopes: Scope[] | null
  scopes: Scope[] | null
  allowedIps: string[] | null
}

const live = (now: Date) => and(isNull(sessions.revokedAt), gt(sessions.expiresAt, now))

export const createAuthenticationQueries = (db: Reader) => ({
  /** A refresh token with its session's owner, whatever state both are in. */
  async findRefreshToken(tokenHash: string) {
    const [token] = await db
      .select({
        sessionId: refreshTokens.sessionId,
        userId: sessions.userId,
        role: users.role,
        openedAt: sessions.createdAt,
      })
      .from(refreshTokens)
      .innerJoin(sessions, eq(sessions.id, refreshTokens.sessionId))
      .innerJoin(users, eq(users.id, sessions.userId))
      .where(eq(refreshTokens.tokenHash, tokenHash))
    return token
  },

  /**
   * Who live sessions belong to, and what their API credentials allow right now, by session id: one statement for many.
   * Left out: sessions that have ended, are of somebody who is blocked, or belong to somebody else than they are said to.
   */
  async listSessionOwners(claimed: readonly SessionClaim[], now: Date): Promise<SessionOwner[]> {
    const { rows } = await db.execute<SessionOwner>(sql`
      select sessions.id as "sessionId", users.id as "userId", users.role, sessions.kind,
        case sessions.kind when 'credentials' then 'owner' else users.access_role end as "accessRole",
        coalesce(users.seller_id, users.id) as "sellerId",
        (extract(epoch from coalesce(sessions.proved_at, sessions.created_at)) * 1000)::float8 as "provedAtMs",
        totp_secrets.confirmed_at is not null as "hasSecondFactor",
        users.password_expires_at is not null as "hasMadeUpPassword", sessions.scopes as "sessionScopes",
        api_credentials.scopes, api_credentials.allowed_ips as "allowedIps"
      from unnest(
        ${uuids(claimed.map(({ sid }) => sid))}, ${uuids(claimed.map(({ sub }) => sub))}
      ) as claimed (session_id, user_id)
      join sessions on sessions.id = claimed.session_id and sessions.user_id = claimed.user_id
        and sessions.revoked_at is null and sessions.expires_at > ${now.toISOString()}
      join users on users.id = sessions.user_id and users.deleted_at is null and users.blocked_at is null
      left join users holders on holders.id = users.seller_id
      left join totp_secrets on totp_secrets.user_id = users.id
      left join api_credentials on sessions.kind = 'credentials' and api_credentials.seller_id = users.id
      where holders.blocked_at is null`)
    return rows
  },

  /** A person's live sessions, newest first. Those of API credentials are none. */
  async listSessions(userId: string, page: PageRequest, now: Date): Promise<Page<Session>> {
    const where = and(eq(sessions.userId, userId), eq(sessions.kind, 'password'), live(now))
    return readPage({ db, table: sessions, id: sessions.id, where }, page)
  },

  /** The ids of a user's live sessions. */
  async listLiveSessions(userId: string, kind: Session['kind'], now: Date): Promise<string[]> {
    const found = await db
      .select({ id: sessions.id })
      .from(sessions)
      .where(and(eq(sessions.userId, userId), eq(sessions.kind, kind), live(now)))
    return found.map(({ id }) => id)
  },
})

export const createAuthenticationRepository = (db: Writer) => ({
  ...createAuthenticationQueries(db),

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

  async insertSession(session: Session): Promise<void> {
    await db.insert(sessions).values(session)
  },

  /** Notes that a session's person has shown password or code again. */
  async proveSession(sessionId: string, now: Date): Promise<void> {
    await db.update(sessions).set({ provedAt: now }).where(eq(sessions.id, sessionId))
  },

  /** Notes that a session got new tokens, and its end. False: it was revoked, has expired, or its user was deleted. */
  async renewSession(sessionId: string, expiresAt: Date, now: Date): Promise<boolean> {
    const { rowCount } = await db
      .update(sessions)
      .set({ expiresAt, lastUsedAt: now })
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

  /** Revokes a live session of a person. False: they have none with this id. */
  async endSession(userId: string, sessionId: string, now: Date): Promise<boolean> {
    const { rowCount } = await db
      .update(sessions)
      .set({ revokedAt: now })
      .where(and(eq(sessions.id, sessionId), eq(sessions.userId, userId), eq(sessions.kind, 'password'), live(now)))
    return rowCount === 1
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

  /** Revokes the sessions of API credentials that were opened with another secret than these, and answers which. */
  async revokeSessionsOfSecrets(sellerId: string, keptHashes: readonly string[], now: Date): Promise<string[]> {
    const isOther = or(isNull(sessions.secretHash), notInArray(sessions.secretHash, [...keptHashes]))
    const revoked = await db
      .update(sessions)
      .set({ revokedAt: now })
      .where(and(eq(sessions.userId, sellerId), eq(sessions.kind, 'credentials'), live(now), isOther))
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
