import type { Clock } from '../../clock.ts'
import { hashSecret, newSecret } from '../../crypto/opaque-tokens.ts'
import type { AccessClaims, Actor, Scope } from '../../domain/actor.ts'
import type { NewId } from '../../ids.ts'
import type { Repositories } from '../../repositories.ts'

export const ACCESS_TOKEN_SECONDS = 15 * 60
const HOUR_MS = 3_600_000
/** How long after its log-in a session ends, however often its tokens are renewed. */
const SESSION_MS = { seller: 30 * 24 * HOUR_MS, admin: 12 * HOUR_MS } as const

type Writes = Pick<Repositories, 'authentication'>

/** Signs an access token with the server's key and lifetime. */
export type SignAccessToken = (claims: AccessClaims) => string

/** What API credentials logged in with, and until when it works: null, until another takes its place. */
export type OpeningSecret = { hash: string; validUntil: Date | null }

/** What a login hands out. Only hashes stay behind. */
export type Grant = { claims: AccessClaims; refreshToken: string }

/** Where and with what somebody logs in. */
export type OpenedFrom = { ipAddress: string; userAgent: string | null }

const fresh = { scopes: null, secretHash: null, provedAt: null, lastUsedAt: null, revokedAt: null }

type Person = { id: string; role: Actor['role'] }

type Dependencies = {
  newId: NewId
  wallClock: Clock
  /** After how long without new tokens a session ends. */
  idleMs: Readonly<Record<Actor['role'], number>>
}

/** Opens and prolongs sessions. Their lifetimes are real time, whatever the platform's clock says. */
export const createSessions = ({ newId, wallClock, idleMs }: Dependencies) => {
  /** Both limits are one instant that moves with each use, so that whatever asks whether a session lives asks for both. */
  const endOf = (openedAt: Date, role: Actor['role'], usedAt: Date): Date =>
    new Date(Math.min(openedAt.getTime() + SESSION_MS[role], usedAt.getTime() + idleMs[role]))

  const addRefreshToken = async (
    tx: Writes,
    { sessionId, createdAt, expiresAt }: { sessionId: string; createdAt: Date; expiresAt: Date },
  ): Promise<string> => {
    const refreshToken = newSecret()
    await tx.authentication.insertRefreshToken({ tokenHash: hashSecret(refreshToken), sessionId, createdAt, expiresAt })
    return refreshToken
  }

  return {
    /** A person's session: lives for 30 days, that of an administrator for 12 hours, if its tokens are renewed in time. */
    async open(tx: Writes, { id: userId, role }: Person, { ipAddress, userAgent }: OpenedFrom): Promise<Grant> {
      const now = wallClock.now()
      const id = newId()
      const expiresAt = endOf(now, role, now)
      await tx.authentication.insertSession({
        ...fresh,
        ipAddress,
        userAgent,
        id,
        userId,
        kind: 'password',
        createdAt: now,
        expiresAt,
      })
      const refreshToken = await addRefreshToken(tx, { sessionId: id, createdAt: now, expiresAt })
      return { claims: { sub: userId, sid: id }, refreshToken }
    },

    /** A session of API credentials: ends with its only access token, and with the secret that opened it. */
    async openForCredentials(tx: Writes, userId: string, scopes: readonly Scope[], secret: OpeningSecret) {
      const now = wallClock.now()
      const id = newId()
      const endsAtMs = now.getTime() + ACCESS_TOKEN_SECONDS * 1_000
      const expiresAt = new Date(Math.min(endsAtMs, secret.validUntil?.getTime() ?? endsAtMs))
      const session = { ...fresh, createdAt: now, expiresAt, ipAddress: null, userAgent: null, secretHash: secret.hash }
      await tx.authentication.insertSession({ ...session, id, userId, kind: 'credentials', scopes: [...scopes] })
      const claims: AccessClaims = { sub: userId, sid: id }
      return { claims, expiresInSeconds: Math.floor((expiresAt.getTime() - now.getTime()) / 1_000) }
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
      const { sessionId, userId, openedAt, role } = token
      if (!(await tx.authentication.useRefreshToken(tokenHash, now))) {
        await tx.authentication.revokeSession(sessionId, now)
        return undefined
      }
      const expiresAt = endOf(openedAt, role, now)
      if (expiresAt <= now || !(await tx.authentication.renewSession(sessionId, expiresAt, now))) return undefined
      const successor = await addRefreshToken(tx, { sessionId, createdAt: now, expiresAt })
      return { claims: { sub: userId, sid: sessionId }, refreshToken: successor }
    },
  }
}

export type Sessions = ReturnType<typeof createSessions>
