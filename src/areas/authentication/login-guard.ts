import { createHash } from 'node:crypto'
import type { Clock } from '../../clock.ts'
import type { Guess } from '../../domain/guess.ts'
import { type AppError, authErrors } from '../../errors.ts'
import type { Reads, Repositories, Transact } from '../../repositories.ts'

type Dependencies = { read: Pick<Reads, 'loginFailures'>; transact: Transact; wallClock: Clock }
type Writes = Pick<Repositories, 'loginFailures'>

// Hashed: the table says nothing of who has an account. The account comes first, so that its guesses can be forgotten.
const hashOf = (text: string): string => createHash('sha256').update(text).digest('hex')
const keyOf = ({ account, guesser }: Guess): string => `${hashOf(account)}:${hashOf(`${account} ${guesser}`)}`

const waiting = (until: Date, now: Date): AppError => {
  const seconds = Math.max(1, Math.ceil((until.getTime() - now.getTime()) / 1_000))
  return authErrors.account_locked({ headers: { 'retry-after': String(seconds) } })
}

/**
 * Slows whoever guesses at an account down, and nobody else: after ten failures they wait for a quarter of an hour, after
 * each further one twice as long, up to a day, whether the account exists or not (docs/adr/0023).
 */
export const createLoginGuard = ({ read, transact, wallClock }: Dependencies) => {
  const refuseWaitingIn = async (found: Pick<Reads, 'loginFailures'>, guess: Guess): Promise<void> => {
    const now = wallClock.now()
    const until = await found.loginFailures.findWait(keyOf(guess), now)
    if (until) throw waiting(until, now)
  }

  return {
    /** Throws auth.account_locked while the guesser has to wait. Spares the slow hash; the counts below decide. */
    refuseWaiting: (guess: Guess): Promise<void> => refuseWaitingIn(read, guess),

    /** The same in the caller's transaction: a guess among many parallel ones wins nothing. */
    refuseWaitingIn: (tx: Writes, guess: Guess): Promise<void> => refuseWaitingIn(tx, guess),

    /**
     * Counts a failure, and does something in the same transaction where it made the guesser wait. Throws auth.account_locked
     * where one at the same moment made the guesser wait first.
     */
    async fail(guess: Guess, onWait?: (tx: Repositories, now: Date) => Promise<void>): Promise<void> {
      const now = wallClock.now()
      const until = await transact(async (tx) => {
        const missed = await tx.loginFailures.add(keyOf(guess), now)
        const begins = onWait && missed === undefined && (await tx.loginFailures.findWait(keyOf(guess), now))
        if (begins) await onWait(tx, now)
        return missed
      })
      if (until) throw waiting(until, now)
    },

    /**
     * Accepts a success and forgets the guesser's failures before it, in the caller's transaction. Throws
     * auth.account_locked when failures at the same moment made the guesser wait first.
     */
    async succeed(tx: Writes, guess: Guess): Promise<void> {
      await tx.loginFailures.clear(keyOf(guess), wallClock.now())
      await refuseWaitingIn(tx, guess)
    },

    /** Forgets everybody's guesses at accounts, in the caller's transaction: what they guessed at has been replaced. */
    async forget(tx: Writes, accounts: readonly string[]): Promise<void> {
      for (const account of accounts) await tx.loginFailures.deleteAllOf(`${hashOf(account)}:`)
    },
  }
}

export type LoginGuard = ReturnType<typeof createLoginGuard>
