import type { Database } from '../db/client.ts'
import { isLockTimeout, isRetryable } from '../db/errors.ts'
import { inTransaction } from '../db/transaction.ts'
import type { NewId } from '../ids.ts'
import { createRepositories, type Repositories, type Surroundings, type Transact } from '../repositories.ts'

const ATTEMPTS_MAX = 4

const isWorthTrying = (error: unknown, patient: boolean): boolean =>
  isRetryable(error) || (patient && isLockTimeout(error))

type TransactOptions = Pick<Surroundings, 'sealSecret'> & {
  /** Called after a commit that wrote events. */
  onEventsCommitted?: () => void
  /** Called after a commit that wrote mails, and waited for. Never throws. */
  onMailsCommitted?: () => Promise<void>
}

/**
 * Runs work in one transaction: a return commits, a throw rolls back. A deadlock is tried again, and so is a lock that did
 * not come free, for some three seconds: `work` may run several times and must have no effect outside the transaction.
 */
export const transactOn = (
  database: Database,
  newId: NewId,
  { sealSecret, onEventsCommitted, onMailsCommitted }: TransactOptions = {},
): Transact => {
  const runOnce = async <Result>(work: (tx: Repositories) => Promise<Result>): Promise<Result> => {
    const added = { events: false, mails: false }
    const onEventsAdded = () => {
      added.events = true
    }
    const onMailsAdded = () => {
      added.mails = true
    }
    const surroundings = { sealSecret, onEventsAdded, onMailsAdded }
    const result = await inTransaction(database, (tx) => work(createRepositories(tx, newId, surroundings)))
    if (added.events) onEventsCommitted?.()
    if (added.mails) await onMailsCommitted?.()
    return result
  }
  return async (work, { patient = true } = {}) => {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await runOnce(work)
      } catch (error) {
        if (attempt === ATTEMPTS_MAX || !isWorthTrying(error, patient)) throw error
      }
    }
  }
}
