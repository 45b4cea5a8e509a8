import type { Guess } from '../../domain/guess.ts'
import { AppError, authErrors, serverErrors } from '../../errors.ts'
import type { LoginGuard } from './login-guard.ts'

type Attempt = { email: string; network: string }

// Two counts: of who asks, and of whom is asked about, from however many networks.
const guessesOf = ({ email, network }: Attempt): Guess[] => [
  { account: 'registration', guesser: `network:${network}` },
  { account: `registration:${email}`, guesser: 'strangers' },
]

const { code: LOCKED } = authErrors.account_locked()

const tooMany = (error: unknown): never => {
  const isLocked = error instanceof AppError && error.code === LOCKED
  throw isLocked ? serverErrors.too_many_requests({ headers: error.extras.headers ?? {} }) : error
}

/**
 * A registration says whether an address has an account. Whoever was told so ten times waits like somebody who guesses
 * passwords (docs/adr/0023).
 */
export const createRegistrationPace = (guard: Pick<LoginGuard, 'refuseWaiting' | 'fail'>) => ({
  /** Throws server.too_many_requests. */
  async refuseFrequent(attempt: Attempt): Promise<void> {
    for (const guess of guessesOf(attempt)) await guard.refuseWaiting(guess).catch(tooMany)
  },

  /** Counts an answer that told of an account. Throws server.too_many_requests where others at the same moment were too many. */
  async countTaken(attempt: Attempt): Promise<void> {
    for (const guess of guessesOf(attempt)) await guard.fail(guess).catch(tooMany)
  },
})

export type RegistrationPace = ReturnType<typeof createRegistrationPace>
