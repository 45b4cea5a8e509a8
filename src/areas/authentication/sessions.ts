import type { Clock } from '../../clock.ts'
import { hashSecret, newSecret } from '../../crypto/opaque-tokens.ts'
import type { Scope } from '../../domain/actor.ts'
import type { AccessClaims } from '../../http/plugins/access.ts'
import type { NewId } from '../../ids.ts'
import type { Repositories } from '../../repositories.ts'

export const ACCESS_TOKEN_SECONDS = 15 * 60
const REFRESH_TOKEN_MS = 30 * 24 * 3_600_000

type Writes = Pick<Repositories, 'authentication'>

/** Signs an access token with the server's key and lifetime. */
export type SignAccessToken = (claims: AccessClaims) => string

/** What a login hands out. Only hashes stay behind. */
export type Grant = { claims: AccessClaims; refreshToken: string }

/** Opens and prolongs sessions. Their lifetimes are real time, whatever the platform's clock says. */
export const createSessions = ({ newId, wallClock }: { newId: NewId; wallClock: Clock }) => {
  const addRefreshToken = async (tx: Writes, sessionId: string, createdAt: Date): Promise<string> => {
    const refreshToken = newSecret()
    const expiresAt = new Date(createdAt.getTime() + REFRESH_TOKEN_MS)
    await tx.authentication.insertRefreshToken({ tokenHash: hashSecret(refreshToken), sessionId, createdAt, expiresAt })
    return refreshToken
  }

  return {
    accessTokenSeconds: ACCESS_TOKEN_SECONDS,

    /** A person's session: lives as long as its refresh tokens are renewed. */
    async open(tx: Writes, userId: string): Promise<Grant> {
      const now = wallClock.now()
      const id = newId()
      const expiresAt = new Date(now.getTime() + REFRESH_TOKEN_MS)
      const lifetime = { createdAt: now, expiresAt, revokedAt: null }
      await tx.authentication.insertSession({ id, userId, kind: 'password', scopes: null, ...lifetime })
      return { claims: { sub: userId, sid: id }, refreshToken: await addRefreshToken(tx, id, now) }
    },

    /** A session of API credentials: ends with its only access token. */
    async openForCredentials(tx: Writes, userId: string, scopes: readonly Scope[]): Promise<AccessClaims> {
      const now = wallClock.now()
      const id = newId()
      const expiresAt = new Date(now.getTime() + ACCESS_TOKEN_SECONDS * 1_000)
      const lifetime = { createdAt: now, expiresAt, revokedAt: null }
      await tx.authentication.insertSession({ id, userId, kind: 'credentials', scopes: [...scopes], ...lifetime })
      return { sub: userId, sid: id }
    },

    /**
     * Changes a refresh token for a new one. Undefined: it was not good any more. One that was used before revokes the
     * session, since somebody has a copy of it (RFC 9700, 4.14.2); so does the loser of two uses at the same moment.
     */
    async rotate(tx: Writes, refreshToken: string): Promise<Grant | undefined> {
      const now = wallClock.now()
      const tokenHash = hashSecret(refreshToken)
      const token = await tx.authentication.findRefreshToken(tokenHash)
      if (token === undefined) return undefined
      const { sessionId, userId } = token
      if (!(await tx.authentication.useRefreshToken(tokenHash, now))) {
        await tx.authentication.revokeSession(sessionId, now)
        return undefined
      }
      const expiresAt = new Date(now.getTime() + REFRESH_TOKEN_MS)
      if (!(await tx.authentication.extendSession(sessionId, expiresAt, now))) return undefined
      return { claims: { sub: userId, sid: sessionId }, refreshToken: await addRefreshToken(tx, sessionId, now) }
    },
  }
}

export type Sessions = ReturnType<typeof createSessions>
