import type { Clock } from '../../clock.ts'
import { hashSecret } from '../../crypto/opaque-tokens.ts'
import type { Actor } from '../../domain/actor.ts'
import { maskEmail } from '../../domain/masks.ts'
import { toTimestamp } from '../../domain/timestamp.ts'
import { refuseWithoutProof } from '../../recent-proof.ts'
import type { Repositories, Transact } from '../../repositories.ts'
import { userErrors } from '../users/users.errors.ts'
import type { User } from '../users/users.repository.ts'
import { accountOf, emailChangedView } from '../users/users.view.ts'
import type { LinkToken } from './link-tokens.repository.ts'
import type { Links } from './links.ts'
import { recoveryErrors } from './recovery.errors.ts'

type Dependencies = { transact: Transact; clock: Clock; wallClock: Clock; links: Links }

const targetOf = (user: User) => ({ targetType: 'user', targetId: user.id, ...accountOf(user) })

const verify = async (tx: Repositories, user: User, token: LinkToken, now: Date): Promise<void> => {
  // The address was changed while the mail was on its way.
  if (user.email !== token.email) throw recoveryErrors.token_invalid()
  await tx.users.update(user.id, { emailVerifiedAt: user.emailVerifiedAt ?? now }, now)
  const actor = { userId: user.id, role: user.role }
  await tx.audit.add({ actor, action: 'user.verify_email', ...targetOf(user) }, now)
}

const change = async (tx: Repositories, before: User, { email }: LinkToken, now: Date): Promise<void> => {
  await tx.users.update(before.id, { email, emailVerifiedAt: now }, now)
  await tx.linkTokens.deleteOf(before)
  const actor = { userId: before.id, role: before.role }
  const masked = { before: { email: maskEmail(before.email) }, after: { email: maskEmail(email) } }
  await tx.audit.add({ actor, action: 'user.change_email', ...targetOf(before), ...masked }, now)
  // To the address that was: whoever reads it learns that it no longer logs in.
  const to = { userId: before.id, address: before.email }
  const data = { newEmail: maskEmail(email), changedAt: toTimestamp(now) }
  const account = accountOf(before)
  await tx.mails.add([{ kind: 'email_changed', ...account, to, data }])
  const { sellerId } = account
  if (sellerId === undefined) return
  await tx.events.add([{ type: 'user.email_changed', sellerId, data: emailChangedView(before, email, now) }], now)
}

/** Whose addresses are whose: shown by who reads the mails that they get. */
export const createEmailAddressesService = ({ transact, clock, wallClock, links }: Dependencies) => ({
  /**
   * Asks for a mail to the address that one's account is to have; until it is confirmed nothing changes. The address that
   * one has is sent a new link as long as it is not verified. Throws user.not_found, also for somebody else's account, and
   * auth.step_up_required.
   */
  async askForChange(actor: Actor, userId: string, { email }: { email: string }): Promise<void> {
    if (actor.userId !== userId) throw userErrors.not_found()
    refuseWithoutProof(actor, wallClock.now())
    await transact(async (tx) => {
      const user = await tx.users.lock(userId)
      if (user === undefined) throw userErrors.not_found()
      const after = { askedEmail: maskEmail(email) }
      await tx.audit.add({ actor, action: 'user.ask_for_email', ...targetOf(user), after }, clock.now())
      if (email !== user.email) return links.sendConfirmation(tx, user, email)
      if (user.emailVerifiedAt === null) await links.sendVerification(tx, user)
    })
  },

  /**
   * Verifies the address of an account, or puts another in its place that was asked for. Throws auth.token_invalid, and
   * user.email_taken when somebody else came to have the address meanwhile.
   */
  async verify({ token: secret }: { token: string }): Promise<void> {
    await transact(async (tx) => {
      const token = await tx.linkTokens.use(hashSecret(secret), ['verify_email', 'change_email'], wallClock.now())
      const user = token?.userId ? await tx.users.lock(token.userId) : undefined
      if (token === undefined || user === undefined) throw recoveryErrors.token_invalid()
      await (token.purpose === 'verify_email' ? verify : change)(tx, user, token, clock.now())
    })
  },
})

export type EmailAddressesService = ReturnType<typeof createEmailAddressesService>
