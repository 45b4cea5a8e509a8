import type { Clock } from '../../clock.ts'
import { hashSecret } from '../../crypto/opaque-tokens.ts'
import { hashPassword, randomPassword, verifyPassword } from '../../crypto/passwords.ts'
import type { Actor } from '../../domain/actor.ts'
import { type Client, type Guess, guessAtCode, guessAtPassword } from '../../domain/guess.ts'
import { toTimestamp } from '../../domain/timestamp.ts'
import { AppError, authErrors } from '../../errors.ts'
import type { BreachedPasswords } from '../../outbound/breached-passwords.ts'
import type { Reads, Repositories, Transact } from '../../repositories.ts'
import type { MadeUpPasswords } from '../users/made-up-passwords.ts'
import type { OpenAccount } from '../users/open-account.ts'
import { userErrors } from '../users/users.errors.ts'
import type { User } from '../users/users.repository.ts'
import { accountOf, userView } from '../users/users.view.ts'
import type { Actors } from './actors.ts'
import { tokensView } from './authentication.view.ts'
import type { KnownDevices } from './known-devices.ts'
import type { LoginAudit } from './login-audit.ts'
import { FAILURES_FORGOTTEN_AFTER_MS } from './login-failures.repository.ts'
import type { LoginGuard } from './login-guard.ts'
import type { NewDevices } from './new-devices.ts'
import type { RegistrationPace } from './registration-pace.ts'
import type { Proof, SecondFactor, Verdict } from './second-factor.ts'
import type { OpenedFrom, Sessions, SignAccessToken } from './sessions.ts'

type Dependencies = {
  read: Pick<Reads, 'users' | 'authentication'>
  transact: Transact
  clock: Clock
  wallClock: Clock
  actors: Actors
  guard: LoginGuard
  registrationPace: RegistrationPace
  knownDevices: KnownDevices
  newDevices: NewDevices
  sessions: Sessions
  openAccount: OpenAccount
  secondFactor: SecondFactor
  loginAudit: LoginAudit
  breachedPasswords: BreachedPasswords
  madeUpPasswords: MadeUpPasswords
}

type Registration = {
  email: string
  password: string
  name: string
  companyName: string
  phone?: string | undefined
}
type Login = Proof & { email: string; password: string }
/** Where a log-in comes from: a network address, and the mark that the browser was given when it logged in before. */
type Origin = OpenedFrom & { network: string; deviceMark: string | undefined }

const { code: EMAIL_TAKEN } = userErrors.email_taken()

const CLEANUP_BATCH_SIZE = 1_000
// Kept for a day after their end, so that a late question about a session still finds it.
const DEVICES_FORGOTTEN_AFTER_MS = 180 * 24 * 3_600_000
const CLEANUP_AFTER_MS = 24 * 3_600_000

const createRegister =
  ({ transact, clock, registrationPace, newDevices, sessions, openAccount, breachedPasswords }: Dependencies) =>
  async (
    { password, ...person }: Registration,
    origin: OpenedFrom & { network: string },
    signAccessToken: SignAccessToken,
  ) => {
    const attempt = { email: person.email, network: origin.network }
    await registrationPace.refuseFrequent(attempt)
    await breachedPasswords.refuse(password, 'password')
    const passwordHash = await hashPassword(password)
    const registered = transact(async (tx) => {
      const user = await openAccount(tx, { ...person, passwordHash, role: 'seller' }, clock.now())
      await newDevices.note(tx, user, origin, true)
      return { user, grant: await sessions.open(tx, user, origin) }
    })
    const { user, grant } = await registered.catch(async (error: unknown) => {
      if (error instanceof AppError && error.code === EMAIL_TAKEN) await registrationPace.countTaken(attempt)
      throw error
    })
    return { user: userView(user), tokens: tokensView(grant, signAccessToken) }
  }

const personOf = ({ id, role, sellerId }: User) => ({ userId: id, role, sellerId: sellerId ?? id })

// Only who has shown all that opens the account learns it.
const refuseBlocked = async (tx: Pick<Repositories, 'users'>, { id }: User): Promise<void> => {
  if (await tx.users.findBlocked(id)) throw authErrors.account_blocked()
}

const refusalOf = async (verdict: Verdict, countGuess: () => Promise<AppError>): Promise<AppError> => {
  if (verdict === 'required') return authErrors.totp_required()
  return verdict === 'late' ? authErrors.totp_invalid() : countGuess()
}

const createLogin = ({
  read,
  transact,
  clock,
  guard,
  knownDevices,
  newDevices,
  sessions,
  secondFactor,
  loginAudit,
  madeUpPasswords,
}: Dependencies) => {
  // The right codes of before do not forget the wrong ones: whoever guesses beside the owner would begin anew each time.
  const failedCode = async (
    user: User,
    { ipAddress }: Origin,
    guess: Guess,
    codeGuesses: readonly Guess[],
  ): Promise<AppError> => {
    await guard.fail(guess, (tx) => loginAudit.slowed(tx, user.email, user, 'code'))
    for (const codeGuess of codeGuesses) {
      await guard.fail(codeGuess, async (tx, now) => {
        await loginAudit.slowed(tx, user.email, user, 'code')
        const data = { ipAddress, guessedAt: toTimestamp(now) }
        await tx.mails.add([{ kind: 'second_factor_guessed', ...accountOf(user), to: { userId: user.id }, data }])
      })
    }
    return authErrors.totp_invalid()
  }

  const findByPassword = async (email: string, password: string, guess: Guess): Promise<User> => {
    await guard.refuseWaiting(guess)
    const user = await read.users.findByEmail(email)
    if ((await verifyPassword(user?.passwordHash, password)) && user !== undefined) return user
    await guard.fail(guess, (tx) => loginAudit.slowed(tx, email, user, 'password'))
    throw authErrors.credentials_invalid()
  }

  return async ({ email, password, ...proof }: Login, origin: Origin, signAccessToken: SignAccessToken) => {
    const client: Client = { network: origin.network, device: knownDevices.nameOf(email, origin.deviceMark) }
    const guess = guessAtPassword(email, client)
    const user = await findByPassword(email, password, guess)
    madeUpPasswords.refuseExpired(user)
    const codeGuesses = proof.totpCode === undefined ? [] : [guessAtCode(user.id, client)]
    for (const codeGuess of codeGuesses) await guard.refuseWaiting(codeGuess)
    const { verdict, grant } = await transact(async (tx) => {
      // A password that was changed while it was being checked opens nothing.
      if (!(await tx.users.noteLogin(user, clock.now()))) throw authErrors.credentials_invalid()
      const verdict = await secondFactor.check(tx, personOf(user), proof)
      if (verdict !== 'accepted' && verdict !== 'none') return { verdict }
      await refuseBlocked(tx, user)
      await guard.succeed(tx, guess)
      for (const codeGuess of codeGuesses) await guard.refuseWaitingIn(tx, codeGuess)
      await newDevices.note(tx, user, origin, client.device !== undefined)
      const grant = await sessions.open(tx, user, origin)
      await loginAudit.opened(tx, user, grant.claims.sid)
      return { verdict, grant }
    })
    if (grant === undefined) {
      // A password that was found among many parallel guesses is not confirmed either.
      await guard.refuseWaiting(guess)
      throw await refusalOf(verdict, () => failedCode(user, origin, guess, codeGuesses))
    }
    const deviceMark = knownDevices.mark(email, client.device)
    return { user: userView(user), tokens: tokensView(grant, signAccessToken), deviceMark }
  }
}

/**
 * Makes the first administrator where there is none yet, once even when several processes start together.
 * Undefined: there was one. `password` is set when it was made up here: show it, nobody can find it out later.
 */
const createEnsureFirstAdmin =
  ({ read, transact, clock, openAccount, madeUpPasswords }: Dependencies) =>
  async (given: { email: string; password?: string | undefined }) => {
    if ((await read.users.countAdmins()) > 0) return undefined
    const password = given.password ?? randomPassword()
    const passwordHash = await hashPassword(password)
    const isMade = await transact(async (tx) => {
      await tx.users.lockFirstAdmin()
      if ((await tx.users.countAdmins()) > 0) return false
      const email = given.email.toLowerCase()
      const admin = { email, passwordHash, name: 'Administrator', companyName: 'Platform', role: 'admin' as const }
      const passwordExpiresAt = given.password === undefined ? madeUpPasswords.endOfNew() : null
      await openAccount(tx, { ...admin, passwordExpiresAt, isVerified: true, isFirstAdmin: true }, clock.now())
      return true
    })
    if (!isMade) return undefined
    return { email: given.email, password: given.password === undefined ? password : undefined }
  }

export const createAuthenticationService = (dependencies: Dependencies) => {
  const { read, transact, wallClock, actors, sessions } = dependencies

  return {
    findActor: actors.findActor,

    /**
     * A new seller, not approved, and their first session. Throws user.email_taken, and server.too_many_requests for who was
     * told so again and again.
     */
    register: createRegister(dependencies),

    /**
     * Throws auth.credentials_invalid alike for an unknown address and a wrong password, auth.account_locked, and after
     * the right password auth.password_expired, auth.totp_required, auth.totp_invalid and auth.account_blocked. Answers also the mark for the browser to keep.
     */
    login: createLogin(dependencies),

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

    /** Makes the first administrator where there is none yet. */
    ensureFirstAdmin: createEnsureFirstAdmin(dependencies),

    /** Forgets ended sessions and old failures: one bounded batch of each. Answers how many rows went. */
    async cleanUp(): Promise<number> {
      const nowMs = wallClock.now().getTime()
      const before = new Date(nowMs - CLEANUP_AFTER_MS)
      const forgotten = new Date(nowMs - FAILURES_FORGOTTEN_AFTER_MS)
      return transact(async (tx) => {
        const ended = await tx.authentication.deleteSessionsBefore(before, CLEANUP_BATCH_SIZE)
        const expired = await tx.invitations.deleteBefore(before, CLEANUP_BATCH_SIZE)
        const devices = await tx.loginDevices.deleteBefore(
          new Date(nowMs - DEVICES_FORGOTTEN_AFTER_MS),
          CLEANUP_BATCH_SIZE,
        )
        const failures = await tx.loginFailures.deleteBefore(forgotten, CLEANUP_BATCH_SIZE)
        return ended + expired + devices + failures
      })
    },
  }
}

export type AuthenticationService = ReturnType<typeof createAuthenticationService>
