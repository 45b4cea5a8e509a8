import { randomBytes } from 'node:crypto'
import type { Clock } from '../../clock.ts'
import { hashSecret, newSecret, sameHash } from '../../crypto/opaque-tokens.ts'
import { type Actor, SCOPES, type Scope } from '../../domain/actor.ts'
import { authErrors } from '../../errors.ts'
import { isAddressAllowed } from '../../http/address-list.ts'
import type { NewId } from '../../ids.ts'
import type { Reads, Repositories, Transact } from '../../repositories.ts'
import type { Actors } from '../authentication/actors.ts'
import type { LoginGuard } from '../authentication/login-guard.ts'
import type { Sessions, SignAccessToken } from '../authentication/sessions.ts'
import type { Credentials, CredentialsChanges } from './integrations.repository.ts'
import { credentialsView, previousSecretEnd, scopesOf } from './integrations.view.ts'

type Dependencies = {
  read: Pick<Reads, 'integrations'>
  transact: Transact
  clock: Clock
  wallClock: Clock
  newId: NewId
  actors: Actors
  guard: LoginGuard
  sessions: Sessions
}

type Login = { clientId: string; clientSecret: string }
type Update = { scopes?: Scope[] | undefined; allowedIps?: string[] | undefined; rotateSecret?: true | undefined }

const PREVIOUS_SECRET_MS = 24 * 3_600_000

const newCredentials = (id: string, sellerId: string, now: Date): Credentials => ({
  clientId: `cli_${randomBytes(16).toString('hex')}`,
  id,
  sellerId,
  // There is no secret until one is asked for: nothing could show it.
  secretHash: null,
  secretLast4: null,
  previousSecretHash: null,
  previousSecretValidUntil: null,
  scopes: [...SCOPES],
  allowedIps: [],
  lastUsedAt: null,
  createdAt: now,
  updatedAt: now,
})

// Both comparisons always run, and run also where there is nothing to compare with.
const isSecretOf = (credentials: Credentials | undefined, secret: string, now: Date): boolean => {
  const given = hashSecret(secret)
  const isCurrent = sameHash(credentials?.secretHash ?? '0'.repeat(64), given)
  const isPrevious = sameHash(credentials?.previousSecretHash ?? '0'.repeat(64), given)
  return credentials !== undefined && (isCurrent || (isPrevious && previousSecretEnd(credentials, now) !== null))
}

const rotation = (credentials: Credentials, secret: string, now: Date): CredentialsChanges => ({
  secretHash: hashSecret(secret),
  secretLast4: secret.slice(-4),
  previousSecretHash: credentials.secretHash,
  previousSecretValidUntil: credentials.secretHash === null ? null : new Date(now.getTime() + PREVIOUS_SECRET_MS),
})

export const createIntegrationsService = (dependencies: Dependencies) => {
  const { read, transact, clock, wallClock, newId, actors, guard, sessions } = dependencies

  const openSession = async (credentials: Credentials, address: string) => {
    const { sellerId, clientId } = credentials
    if (!isAddressAllowed(address, credentials.allowedIps)) throw authErrors.address_not_allowed()
    return transact(async (tx) => {
      await guard.succeed(tx, clientId)
      await tx.integrations.update(sellerId, { lastUsedAt: clock.now() })
      return sessions.openForCredentials(tx, sellerId, scopesOf(credentials))
    })
  }

  const ensure = async (tx: Pick<Repositories, 'integrations'>, sellerId: string): Promise<Credentials> => {
    await tx.integrations.insertOnce(newCredentials(newId(), sellerId, clock.now()))
    const credentials = await tx.integrations.lock(sellerId)
    if (credentials === undefined) throw new Error('credentials that were just made are gone')
    return credentials
  }

  return {
    /**
     * A token for a seller's own server, without a refresh token. Throws auth.credentials_invalid, auth.account_locked
     * and auth.address_not_allowed.
     */
    async login({ clientId, clientSecret }: Login, address: string, signAccessToken: SignAccessToken) {
      await guard.refuseLocked(clientId)
      const credentials = await read.integrations.findByClientId(clientId)
      if (credentials === undefined || !isSecretOf(credentials, clientSecret, wallClock.now())) {
        await guard.fail(clientId)
        throw authErrors.credentials_invalid()
      }
      const accessToken = signAccessToken(await openSession(credentials, address))
      const granted = scopesOf(credentials).join(' ')
      return { accessToken, tokenType: 'Bearer' as const, expiresIn: sessions.accessTokenSeconds, scope: granted }
    },

    /** One's own credentials; the first call makes them, without a secret. */
    async getCredentials(actor: Actor) {
      const known = await read.integrations.findBySeller(actor.userId)
      const credentials = known ?? (await transact((tx) => ensure(tx, actor.userId)))
      return credentialsView(credentials, wallClock.now())
    },

    /** Changes one's own credentials. With `rotateSecret` the answer holds the new secret, once. */
    async updateCredentials(actor: Actor, { scopes, allowedIps, rotateSecret }: Update) {
      const sellerId = actor.userId
      const clientSecret = rotateSecret ? `sk_${newSecret()}` : undefined
      const { after, open } = await transact(async (tx) => {
        const before = await ensure(tx, sellerId)
        const now = clock.now()
        const changes: CredentialsChanges = {
          ...(scopes ? { scopes } : {}),
          ...(allowedIps ? { allowedIps } : {}),
          ...(clientSecret ? rotation(before, clientSecret, wallClock.now()) : {}),
          updatedAt: now,
        }
        await tx.integrations.update(sellerId, changes)
        const after = { ...before, ...changes }
        await tx.audit.add(
          {
            actor,
            action: 'integration.update_credentials',
            targetType: 'api_credentials',
            targetId: before.id,
            sellerId,
            before: { scopes: before.scopes, allowedIps: before.allowedIps },
            after: { scopes: after.scopes, allowedIps: after.allowedIps, secretRotated: rotateSecret === true },
          },
          now,
        )
        return { after, open: await tx.authentication.listLiveSessions(sellerId, 'credentials', wallClock.now()) }
      })
      actors.forget(sellerId, open)
      return { ...credentialsView(after, wallClock.now()), ...(clientSecret ? { clientSecret } : {}) }
    },
  }
}

export type IntegrationsService = ReturnType<typeof createIntegrationsService>
