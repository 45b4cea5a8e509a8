import { createHash } from 'node:crypto'
import type { Clock } from '../../clock.ts'
import { type AppError, authErrors } from '../../errors.ts'
import type { Reads, Repositories, Transact } from '../../repositories.ts'
import { LOGIN_FAILURES_MAX } from './login-failures.repository.ts'

type Dependencies = { read: Pick<Reads, 'loginFailures'>; transact: Transact; wallClock: Clock }

// Every account has its own count, whoever guesses from wherever. Hashed: the table says nothing of who has an account.
const hashOf = (account: string): string => createHash('sha256').update(account).digest('hex')

const locked = (until: Date, now: Date): AppError => {
  const seconds = Math.max(1, Math.ceil((until.getTime() - now.getTime()) / 1_000))
  return authErrors.account_locked({ headers: { 'retry-after': String(seconds) } })
}

/** Stops guessing: ten failures within 15 minutes lock an account for 15 minutes, whether it exists or not. */
export const createLoginGuard = ({ read, transact, wallClock }: Dependencies) => ({
  /** Throws auth.account_locked while the account is locked. Spares the slow hash; the counts below decide. */
  async refuseLocked(account: string): Promise<void> {
    const now = wallClock.now()
    const until = await read.loginFailures.findLock(hashOf(account), now)
    if (until) throw locked(until, now)
  },

  /** Counts a failure. Throws auth.account_locked for every failure after the tenth, else answers. */
  async fail(account: string): Promise<void> {
    const now = wallClock.now()
    const { failures, lockedUntil } = await transact((tx) => tx.loginFailures.add(hashOf(account), now))
    if (failures > LOGIN_FAILURES_MAX && lockedUntil) throw locked(lockedUntil, now)
  },

  /**
   * Accepts a success and forgets the failures before it, in the caller's transaction. Throws auth.account_locked when
   * failures at the same moment locked the account first: a guess among many parallel ones wins nothing.
   */
  async succeed(tx: Pick<Repositories, 'loginFailures'>, account: string): Promise<void> {
    const now = wallClock.now()
    await tx.loginFailures.clear(hashOf(account), now)
    const until = await tx.loginFailures.findLock(hashOf(account), now)
    if (until) throw locked(until, now)
  },

  /** Opens an account whose password has been replaced, in the caller's transaction: guesses at the old one are void. */
  async unlock(tx: Pick<Repositories, 'loginFailures'>, account: string): Promise<void> {
    await tx.loginFailures.delete(hashOf(account))
  },
})

export type LoginGuard = ReturnType<typeof createLoginGuard>
