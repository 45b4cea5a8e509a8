import { randomBytes } from 'node:crypto'
import { isAddressAllowed } from '../../address-list.ts'
import type { Clock } from '../../clock.ts'
import { hashSecret, newSecret, sameHash } from '../../crypto/opaque-tokens.ts'
import { type Actor, FIRST_SCOPES, type Scope } from '../../domain/actor.ts'
import { guessAtSecret } from '../../domain/guess.ts'
import type { Precondition } from '../../domain/precondition.ts'
import { toTimestamp, toTimestampOrNull } from '../../domain/timestamp.ts'
import { authErrors } from '../../errors.ts'
import type { NewId } from '../../ids.ts'
import type { NewMail } from '../../mail/mails.repository.ts'
import type { Reads, Repositories, Transact } from '../../repositories.ts'
import type { Actors } from '../authentication/actors.ts'
import type { LoginAudit } from '../authentication/login-audit.ts'
import type { LoginGuard } from '../authentication/login-guard.ts'
import type { OpeningSecret, Sessions, SignAccessToken } from '../authentication/sessions.ts'
import type { Credentials, CredentialsChanges } from './integrations.repository.ts'
import { credentialsView, previousSecretEnd, scopesOf, tokenView } from './integrations.view.ts'
import type { TokenRequest } from './token-request.ts'

type Dependencies = {
  read: Pick<Reads, 'integrations'>
  transact: Transact
  clock: Clock
  wallClock: Clock
  newId: NewId
  actors: Actors
  guard: LoginGuard
  sessions: Sessions
  loginAudit: LoginAudit
}

type Update = {
  scopes?: Scope[] | undefined
  allowedIps?: string[] | undefined
  rotateSecret?: boolean | undefined
  revokeNow?: boolean | undefined
}

/** The address of a log-in, and the network that it counts as. */
type Origin = { address: string; network: string }

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
  scopes: [...FIRST_SCOPES],
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

const narrowed = (credentials: Credentials, asked: readonly string[] | undefined): Scope[] => {
  const own = scopesOf(credentials)
  if (asked === undefined) return own
  if (!asked.every((scope) => own.some((one) => one === scope))) throw authErrors.scope_invalid()
  return own.filter((scope) => asked.includes(scope))
}

const rotation = (credentials: Credentials, secret: string, now: Date): CredentialsChanges => ({
  secretHash: hashSecret(secret),
  secretLast4: secret.slice(-4),
  previousSecretHash: credentials.secretHash,
  previousSecretValidUntil: credentials.secretHash === null ? null : new Date(now.getTime() + PREVIOUS_SECRET_MS),
})

// Whoever has a stolen session can make a secret: the seller hears of it.
const rotationMails = (credentials: Credentials, newSecret: string | undefined, now: Date): NewMail[] => {
  if (newSecret === undefined) return []
  const { sellerId, clientId, previousSecretValidUntil } = credentials
  const previousValidUntil = toTimestampOrNull(previousSecretValidUntil)
  const data = { clientId, changedAt: toTimestamp(now), previousValidUntil }
  return [{ kind: 'credentials_rotated', sellerId, to: { userId: sellerId }, data }]
}

const NO_PREVIOUS: CredentialsChanges = { previousSecretHash: null, previousSecretValidUntil: null }

const openingSecret = (credentials: Credentials, secret: string): OpeningSecret => {
  const hash = hashSecret(secret)
  return { hash, validUntil: hash === credentials.secretHash ? null : credentials.previousSecretValidUntil }
}

const secretsOf = ({ secretHash, previousSecretHash }: Credentials): string[] =>
  [secretHash, previousSecretHash].filter((hash) => hash !== null)

type Change = { before: Credentials; update: Update; clientSecret: string | undefined }

const changesOf = ({ before, update, clientSecret }: Change, now: Date): CredentialsChanges => ({
  ...(update.scopes ? { scopes: update.scopes } : {}),
  ...(update.allowedIps ? { allowedIps: update.allowedIps } : {}),
  ...(clientSecret ? rotation(before, clientSecret, now) : {}),
  ...(update.revokeNow ? NO_PREVIOUS : {}),
})

const auditOf = ({ before, update: { rotateSecret, revokeNow } }: Change, after: Credentials) => ({
  action: 'integration.update_credentials',
  targetType: 'api_credentials',
  targetId: before.id,
  sellerId: before.sellerId,
  before: { scopes: before.scopes, allowedIps: before.allowedIps },
  after: {
    scopes: after.scopes,
    allowedIps: after.allowedIps,
    secretRotated: rotateSecret === true,
    ...(revokeNow ? { previousSecretRevoked: true } : {}),
  },
})

/** Makes a seller's credentials unless they are there, and locks them. */
const createEnsure =
  ({ newId, clock }: Dependencies) =>
  async (tx: Pick<Repositories, 'integrations'>, sellerId: string): Promise<Credentials> => {
    await tx.integrations.insertOnce(newCredentials(newId(), sellerId, clock.now()))
    const credentials = await tx.integrations.lock(sellerId)
    if (credentials === undefined) throw new Error('credentials that were just made are gone')
    return credentials
  }

const createUpdate = (dependencies: Dependencies) => {
  const { transact, clock, wallClock, actors } = dependencies
  const ensure = createEnsure(dependencies)

  const endSecrets = async (tx: Repositories, credentials: Credentials, now: Date): Promise<void> => {
    const { sellerId } = credentials
    const data = credentialsView(credentials, wallClock.now())
    await tx.authentication.revokeSessionsOfSecrets(sellerId, secretsOf(credentials), wallClock.now())
    await tx.events.add([{ type: 'credentials.rotated', sellerId, data }], now)
  }

  return async (actor: Actor, update: Update, precondition?: Precondition) => {
    const sellerId = actor.sellerId
    const clientSecret = update.rotateSecret ? `sk_${newSecret()}` : undefined
    const { after, open } = await transact(async (tx) => {
      const before = await ensure(tx, sellerId)
      precondition?.(credentialsView(before, wallClock.now()))
      const now = clock.now()
      const change = { before, update, clientSecret }
      const changes = { ...changesOf(change, wallClock.now()), updatedAt: now }
      await tx.integrations.update(sellerId, changes)
      const after = { ...before, ...changes }
      await tx.audit.add({ actor, ...auditOf(change, after) }, now)
      await tx.mails.add(rotationMails(after, clientSecret, now))
      const open = await tx.authentication.listLiveSessions(sellerId, 'credentials', wallClock.now())
      if (update.rotateSecret || update.revokeNow) await endSecrets(tx, after, now)
      return { after, open }
    })
    actors.forget(sellerId, open)
    return { ...credentialsView(after, wallClock.now()), ...(clientSecret ? { clientSecret } : {}) }
  }
}

export const createIntegrationsService = (dependencies: Dependencies) => {
  const { read, transact, clock, wallClock, guard, sessions, loginAudit } = dependencies

  const openSession = async (credentials: Credentials, secret: string, scopes: readonly Scope[], origin: Origin) => {
    const { sellerId, clientId } = credentials
    if (!isAddressAllowed(origin.address, credentials.allowedIps)) throw authErrors.address_not_allowed()
    return transact(async (tx) => {
      await guard.succeed(tx, guessAtSecret(clientId, origin.network))
      // A secret that was ended while it was being checked opens nothing.
      const locked = await tx.integrations.lock(sellerId)
      if (locked === undefined || !isSecretOf(locked, secret, wallClock.now())) throw authErrors.credentials_invalid()
      if (await tx.users.findBlocked(sellerId)) throw authErrors.account_blocked()
      await tx.integrations.update(sellerId, { lastUsedAt: clock.now() })
      const opened = await sessions.openForCredentials(tx, sellerId, scopes, openingSecret(locked, secret))
      await loginAudit.openedByCredentials(tx, locked, opened.claims.sid)
      return opened
    })
  }

  const ensure = createEnsure(dependencies)

  return {
    /**
     * A token for a seller's own server, without a refresh token, for all scopes of the credentials or fewer. Throws
     * auth.credentials_invalid, auth.account_blocked, auth.account_locked, auth.scope_invalid and auth.address_not_allowed.
     */
    async login({ clientId, clientSecret, scopes }: TokenRequest, origin: Origin, signAccessToken: SignAccessToken) {
      await guard.refuseWaiting(guessAtSecret(clientId, origin.network))
      const credentials = await read.integrations.findByClientId(clientId)
      if (credentials === undefined || !isSecretOf(credentials, clientSecret, wallClock.now())) {
        await guard.fail(guessAtSecret(clientId, origin.network), async (tx) => {
          if (credentials) await loginAudit.slowedAtCredentials(tx, credentials)
        })
        throw authErrors.credentials_invalid()
      }
      const granted = narrowed(credentials, scopes)
      const { claims, expiresInSeconds } = await openSession(credentials, clientSecret, granted, origin)
      return tokenView(signAccessToken(claims), granted, expiresInSeconds)
    },

    /** One's own credentials; the first call makes them, without a secret. */
    async getCredentials(actor: Actor) {
      const known = await read.integrations.findBySeller(actor.sellerId)
      const credentials = known ?? (await transact((tx) => ensure(tx, actor.sellerId)))
      return credentialsView(credentials, wallClock.now())
    },

    /**
     * Changes one's own credentials. With `rotateSecret` the answer holds the new secret, once; with `revokeNow` the one
     * before works no more.
     */
    updateCredentials: createUpdate(dependencies),
  }
}

export type IntegrationsService = ReturnType<typeof createIntegrationsService>
