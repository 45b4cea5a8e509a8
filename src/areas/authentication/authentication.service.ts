import type { Clock } from '../../clock.ts'
import { hashSecret } from '../../crypto/opaque-tokens.ts'
import { hashPassword, randomPassword, verifyPassword } from '../../crypto/passwords.ts'
import type { Actor } from '../../domain/actor.ts'
import { authErrors } from '../../errors.ts'
import type { Reads, Transact } from '../../repositories.ts'
import type { OpenAccount } from '../users/open-account.ts'
import { userView } from '../users/users.view.ts'
import type { Actors } from './actors.ts'
import type { LoginGuard } from './login-guard.ts'
import type { Proof, SecondFactor } from './second-factor.ts'
import { ACCESS_TOKEN_SECONDS, type Grant, type Sessions, type SignAccessToken } from './sessions.ts'

type Dependencies = {
  read: Pick<Reads, 'users' | 'authentication'>
  transact: Transact
  clock: Clock
  wallClock: Clock
  actors: Actors
  guard: LoginGuard
  sessions: Sessions
  openAccount: OpenAccount
  secondFactor: SecondFactor
}

type Registration = {
  email: string
  password: string
  name: string
  companyName: string
  phone?: string | undefined
}
type Login = Proof & { email: string; password: string }

const CLEANUP_BATCH_SIZE = 1_000
// Kept for a day after their end, so that a late question about a session still finds it.
const CLEANUP_AFTER_MS = 24 * 3_600_000

const tokensView = ({ claims, refreshToken }: Grant, signAccessToken: SignAccessToken) => ({
  accessToken: signAccessToken(claims),
  refreshToken,
  tokenType: 'Bearer' as const,
  expiresIn: ACCESS_TOKEN_SECONDS,
})

export const createAuthenticationService = (dependencies: Dependencies) => {
  const { read, transact, clock, wallClock, actors, guard, sessions, openAccount, secondFactor } = dependencies

  return {
    findActor: actors.findActor,

    /** A new seller, not approved, and their first session. Throws user.email_taken. */
    async register({ password, ...person }: Registration, signAccessToken: SignAccessToken) {
      const passwordHash = await hashPassword(password)
      const { user, grant } = await transact(async (tx) => {
        const user = await openAccount(tx, { ...person, passwordHash, role: 'seller' }, clock.now())
        return { user, grant: await sessions.open(tx, user.id) }
      })
      return { user: userView(user), tokens: tokensView(grant, signAccessToken) }
    },

    /**
     * Throws auth.credentials_invalid alike for an unknown address and a wrong password, auth.account_locked, and after
     * the right password auth.totp_required and auth.totp_invalid.
     */
    async login({ email, password, ...proof }: Login, signAccessToken: SignAccessToken) {
      await guard.refuseLocked(email)
      const user = await read.users.findByEmail(email)
      const isRight = await verifyPassword(user?.passwordHash, password)
      if (user === undefined || !isRight) {
        await guard.fail(email)
        throw authErrors.credentials_invalid()
      }
      const { verdict, grant } = await transact(async (tx) => {
        // A password that was changed while it was being checked opens nothing.
        if (!(await tx.users.lockPassword(user.id, user.passwordHash))) throw authErrors.credentials_invalid()
        const verdict = await secondFactor.check(tx, { userId: user.id, role: user.role }, proof)
        if (verdict === 'required' || verdict === 'invalid') return { verdict }
        await guard.succeed(tx, email)
        return { verdict, grant: await sessions.open(tx, user.id) }
      })
      if (grant === undefined) {
        // A password that was found among many parallel guesses is not confirmed either.
        await guard.refuseLocked(email)
        if (verdict === 'required') throw authErrors.totp_required()
        await guard.fail(email)
        throw authErrors.totp_invalid()
      }
      return { user: userView(user), tokens: tokensView(grant, signAccessToken) }
    },

    /** New tokens for a refresh token, which is good once. Throws auth.refresh_token_invalid. */
    async refresh({ refreshToken }: { refreshToken: string }, signAccessToken: SignAccessToken) {
      const owner = await read.authentication.findRefreshToken(hashSecret(refreshToken))
      const grant = await transact((tx) => sessions.rotate(tx, refreshToken))
      if (grant === undefined) {
        if (owner) actors.forget(owner.userId, [owner.sessionId])
        throw authErrors.refresh_token_invalid()
      }
      return tokensView(grant, signAccessToken)
    },

    /** Ends the session of one's own refresh token. Throws auth.refresh_token_invalid for anybody else's. */
    async logout(actor: Actor, { refreshToken }: { refreshToken: string }): Promise<void> {
      const token = await read.authentication.findRefreshToken(hashSecret(refreshToken))
      if (token?.userId !== actor.userId) throw authErrors.refresh_token_invalid()
      await transact((tx) => tx.authentication.revokeSession(token.sessionId, wallClock.now()))
      actors.forget(token.userId, [token.sessionId])
    },

    /**
     * Makes the first administrator where there is none yet, once even when several processes start together.
     * Undefined: there was one. `password` is set when it was made up here: show it, nobody can find it out later.
     */
    async ensureFirstAdmin(given: { email: string; password?: string | undefined }) {
      if ((await read.users.countAdmins()) > 0) return undefined
      const password = given.password ?? randomPassword()
      const passwordHash = await hashPassword(password)
      const isMade = await transact(async (tx) => {
        await tx.users.lockFirstAdmin()
        if ((await tx.users.countAdmins()) > 0) return false
        const email = given.email.toLowerCase()
        const admin = { email, passwordHash, name: 'Administrator', companyName: 'Platform', role: 'admin' as const }
        await openAccount(tx, admin, clock.now())
        return true
      })
      if (!isMade) return undefined
      return { email: given.email, password: given.password === undefined ? password : undefined }
    },

    /** Forgets ended sessions and old failures: one bounded batch of each. Answers how many rows went. */
    async cleanUp(): Promise<number> {
      const before = new Date(wallClock.now().getTime() - CLEANUP_AFTER_MS)
      return transact(async (tx) => {
        const ended = await tx.authentication.deleteSessionsBefore(before, CLEANUP_BATCH_SIZE)
        return ended + (await tx.loginFailures.deleteBefore(before, CLEANUP_BATCH_SIZE))
      })
    },
  }
}

export type AuthenticationService = ReturnType<typeof createAuthenticationService>
