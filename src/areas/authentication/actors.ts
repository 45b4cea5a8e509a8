import { LRUCache } from 'lru-cache'
import type { Clock } from '../../clock.ts'
import { coalesce } from '../../db/coalesce.ts'
import { type Actor, SCOPES } from '../../domain/actor.ts'
import { authErrors } from '../../errors.ts'
import { isAddressAllowed } from '../../http/address-list.ts'
import type { AccessClaims } from '../../http/plugins/access.ts'
import type { Reads } from '../../repositories.ts'
import type { SessionOwner } from './authentication.repository.ts'

type Dependencies = { read: Pick<Reads, 'authentication'>; wallClock: Clock }
type Known = { actor: Actor; allowedIps: readonly string[] }

const CACHE_MAX = 50_000
/** How long another process may go on believing in a session that was revoked in this one. */
const CACHE_TTL_MS = 1_000
const LOOKED_UP_MAX = 200
const LOOKUPS_AT_A_TIME = 2

/**
 * Finds out who a token's session belongs to. A database answer is believed for at most a second, and for no moment
 * longer in the process that revokes the session.
 */
export const createActors = ({ read, wallClock }: Dependencies) => {
  const known = new LRUCache<string, Promise<Known | undefined>>({ max: CACHE_MAX, ttl: CACHE_TTL_MS })

  const knownOf = (sub: string, owner: SessionOwner | undefined): Known | undefined => {
    if (owner === undefined) return undefined
    const person = { userId: sub, role: owner.role, sessionId: owner.sessionId }
    if (owner.kind === 'password') return { actor: { ...person, scopes: 'all' }, allowedIps: [] }
    if (owner.scopes === null || owner.allowedIps === null) return undefined
    // A scope that was taken from the credentials after the login is gone from its tokens too.
    const granted = [owner.sessionScopes ?? [], owner.scopes]
    const scopes = SCOPES.filter((scope) => granted.every((list) => list.includes(scope)))
    return { actor: { ...person, scopes }, allowedIps: owner.allowedIps }
  }

  // Under load a session is looked up every second: those that are asked for meanwhile share one statement.
  const load = coalesce<AccessClaims, Known | undefined>(
    async (claims) => {
      const owners = await read.authentication.listSessionOwners(claims, wallClock.now())
      const bySession = new Map(owners.map((owner) => [owner.sessionId, owner]))
      return claims.map(({ sid, sub }) => ({ ok: true, value: knownOf(sub, bySession.get(sid)) }))
    },
    { maxBatch: LOOKED_UP_MAX, concurrency: LOOKUPS_AT_A_TIME },
  )

  const find = (claims: AccessClaims): Promise<Known | undefined> => {
    const key = `${claims.sid} ${claims.sub}`
    const cached = known.get(key)
    if (cached) return cached
    // The promise is cached, not its value: a look-up that began before a revocation cannot come back after it.
    const found = load(claims).catch((error: unknown) => {
      known.delete(key)
      throw error
    })
    known.set(key, found)
    return found
  }

  return {
    /** Undefined: no such live session. Throws auth.address_not_allowed where credentials exclude the address. */
    async findActor(claims: AccessClaims, address: string): Promise<Actor | undefined> {
      const found = await find(claims)
      if (found && !isAddressAllowed(address, found.allowedIps)) throw authErrors.address_not_allowed()
      return found?.actor
    },

    /** Forgets sessions of a user: call it after the transaction that revoked or changed them. */
    forget(userId: string, sessionIds: readonly string[]): void {
      for (const sessionId of sessionIds) known.delete(`${sessionId} ${userId}`)
    },
  }
}

export type Actors = ReturnType<typeof createActors>
