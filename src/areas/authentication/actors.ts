import { LRUCache } from 'lru-cache'
import { isAddressAllowed } from '../../address-list.ts'
import type { Clock } from '../../clock.ts'
import { createLoader } from '../../db/loader.ts'
import { type AccessClaims, type Actor, SCOPES } from '../../domain/actor.ts'
import { authErrors } from '../../errors.ts'
import type { Reads } from '../../repositories.ts'
import type { SessionOwner } from './authentication.repository.ts'

type Dependencies = { read: Pick<Reads, 'authentication'>; wallClock: Clock }
type Known = { actor: Actor; allowedIps: readonly string[] }

const CACHE_MAX = 50_000
/** How long another process may go on believing in a session that was revoked in this one. */
const CACHE_TTL_MS = 1_000

const nameOf = ({ sid, sub }: AccessClaims): string => `${sid} ${sub}`

const knownOf = (owner: SessionOwner): Known | undefined => {
  const { userId, role, accessRole, sellerId, sessionId, hasSecondFactor, hasMadeUpPassword } = owner
  const person = {
    userId,
    role,
    accessRole,
    sellerId,
    sessionId,
    hasSecondFactor,
    hasMadeUpPassword,
    provedAt: new Date(owner.provedAtMs),
  }
  if (owner.kind === 'password') return { actor: { ...person, scopes: 'all' }, allowedIps: [] }
  if (owner.scopes === null || owner.allowedIps === null) return undefined
  // A scope that was taken from the credentials after the login is gone from its tokens too.
  const granted = [owner.sessionScopes ?? [], owner.scopes]
  const scopes = SCOPES.filter((scope) => granted.every((list) => list.includes(scope)))
  return { actor: { ...person, scopes }, allowedIps: owner.allowedIps }
}

/**
 * Finds out who a token's session belongs to. A database answer is believed for at most a second, and for no moment
 * longer in the process that revokes the session.
 */
export const createActors = ({ read, wallClock }: Dependencies) => {
  // Bounded by size, each counting as one: `max` would take the room for all of them beforehand.
  const known = new LRUCache<string, Promise<Known | undefined>>({
    maxSize: CACHE_MAX,
    sizeCalculation: () => 1,
    ttl: CACHE_TTL_MS,
  })

  // Under load a session is looked up every second: those that are asked for together share one statement.
  const load = createLoader<AccessClaims, Known | undefined>({
    nameOf,
    lookUp: async (claims) => {
      const owners = await read.authentication.listSessionOwners(claims, wallClock.now())
      return new Map(owners.map((owner) => [nameOf({ sid: owner.sessionId, sub: owner.userId }), knownOf(owner)]))
    },
  })

  const find = (claims: AccessClaims): Promise<Known | undefined> => {
    const key = nameOf(claims)
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
      for (const sessionId of sessionIds) known.delete(nameOf({ sid: sessionId, sub: userId }))
    },
  }
}

export type Actors = ReturnType<typeof createActors>
