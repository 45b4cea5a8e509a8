import type { Clock } from '../../clock.ts'
import type { Repositories } from '../../repositories.ts'
import type { User } from './users.repository.ts'

type Ended = { userId: string; sessionIds: readonly string[] }

/**
 * Takes people out of their accounts in the caller's transaction, and answers which sessions ended with them: forget those
 * after it. What they own must have ended before.
 */
export const createEndPeople =
  ({ wallClock }: { wallClock: Clock }) =>
  async (
    tx: Pick<
      Repositories,
      'users' | 'totp' | 'authentication' | 'mails' | 'mailPreferences' | 'linkTokens' | 'loginDevices'
    >,
    people: readonly Pick<User, 'id' | 'email'>[],
    now: Date,
  ): Promise<readonly Ended[]> => {
    const ended: Ended[] = []
    for (const { id: userId, email } of people) {
      await tx.totp.delete(userId)
      await tx.mailPreferences.delete(userId)
      await tx.loginDevices.deleteOf(userId)
      await tx.mails.cancelOf(userId)
      await tx.linkTokens.deleteOf({ id: userId, email })
      await tx.users.deleteSoftly(userId, now)
      ended.push({ userId, sessionIds: await tx.authentication.revokeSessions(userId, wallClock.now()) })
    }
    return ended
  }

export type EndPeople = ReturnType<typeof createEndPeople>
