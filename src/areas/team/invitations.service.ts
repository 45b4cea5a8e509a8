import type { Clock } from '../../clock.ts'
import { hashSecret, newSecret } from '../../crypto/opaque-tokens.ts'
import { hashPassword, refuseGuessable } from '../../crypto/passwords.ts'
import type { Actor } from '../../domain/actor.ts'
import { maskEmail } from '../../domain/masks.ts'
import { ZERO } from '../../domain/money.ts'
import type { AccessRole, AdminRole, MemberRole } from '../../domain/roles.ts'
import { toTimestamp } from '../../domain/timestamp.ts'
import { authErrors } from '../../errors.ts'
import type { Idempotency, Once } from '../../idempotency/once.ts'
import type { NewId } from '../../ids.ts'
import type { BreachedPasswords } from '../../outbound/breached-passwords.ts'
import type { Reads, Repositories, Transact } from '../../repositories.ts'
import type { Propose } from '../approvals/approvals.propose.ts'
import type { Approval } from '../approvals/approvals.repository.ts'
import type { Decided } from '../approvals/approvals.view.ts'
import { tokensView } from '../authentication/authentication.view.ts'
import type { OpenedFrom, Sessions, SignAccessToken } from '../authentication/sessions.ts'
import type { JoinAccount, OpenAccount } from '../users/open-account.ts'
import { userErrors } from '../users/users.errors.ts'
import type { User } from '../users/users.repository.ts'
import { accountOf, userView } from '../users/users.view.ts'
import type { Invitation } from './invitations.repository.ts'
import { teamErrors } from './team.errors.ts'
import { adminInvitationView, invitedEventView, invitedMemberView, memberEventView } from './team.view.ts'

type Dependencies = {
  read: Pick<Reads, 'invitations'>
  transact: Transact
  once: Once<Repositories>
  clock: Clock
  wallClock: Clock
  newId: NewId
  sessions: Sessions
  openAccount: OpenAccount
  joinAccount: JoinAccount
  propose: Propose
  breachedPasswords: BreachedPasswords
}

type Invited = { email: string; name: string }
type InvitedAdmin = Invited & { adminRole: AdminRole }
type AdminInvitationView = ReturnType<typeof adminInvitationView>
type Asked = Invited & { sellerId: string | null; accessRole: AccessRole }
type Joining = Pick<User, 'email' | 'name' | 'passwordHash' | 'accessRole'> & { sellerId: string | null }
type Acceptance = { token: string; name: string; password: string }

const askedOf = ({ email, name, adminRole }: InvitedAdmin): Asked => ({
  email,
  name,
  sellerId: null,
  accessRole: adminRole,
})

const VALID_MS = 7 * 86_400_000
export const TEAM_SIZE_MAX = 100

const refuseFullTeam = async (tx: Repositories, sellerId: string, now: Date): Promise<void> => {
  const members = await tx.users.lockMembers(sellerId)
  if (members.length + (await tx.invitations.listOpen(sellerId, now)).length >= TEAM_SIZE_MAX) throw teamErrors.full()
}

// Administrators are no account's team: nobody is told of theirs.
const tell = async (
  tx: Pick<Repositories, 'events'>,
  { sellerId, ...event }: { type: 'team.invited' | 'team.joined'; sellerId: string | null; data: object },
  now: Date,
): Promise<void> => {
  if (sellerId !== null) await tx.events.add([{ ...event, sellerId }], now)
}

/**
 * Asks people to join by e-mail, and lets them. Whether anybody has the address is looked at only when whoever reads its
 * mails accepts, so that nobody else learns it.
 */
export const createInvitationsService = (dependencies: Dependencies) => {
  const { read, transact, once, clock, wallClock, newId, sessions, openAccount, joinAccount, propose } = dependencies
  const { breachedPasswords } = dependencies

  const invite = async (tx: Repositories, actor: Actor, asked: Asked): Promise<Invitation> => {
    const now = clock.now()
    const token = newSecret()
    const expiresAt = new Date(wallClock.now().getTime() + VALID_MS)
    const invitation = { ...asked, id: newId(), tokenHash: hashSecret(token), createdAt: now, expiresAt }
    await tx.invitations.put(invitation)
    const inviter = await tx.users.find(actor.userId)
    if (inviter === undefined) throw userErrors.not_found()
    const account = asked.sellerId === null ? {} : { sellerId: asked.sellerId }
    const data = { invitedBy: inviter.name, team: inviter.companyName, validUntil: toTimestamp(expiresAt) }
    await tx.mails.add([{ kind: 'invitation', ...account, to: { address: asked.email }, data, secret: { token } }])
    const after = { email: maskEmail(asked.email), role: asked.accessRole }
    const target = { targetType: 'invitation', targetId: invitation.id, ...account }
    await tx.audit.add({ actor, action: 'team.invite', ...target, after }, now)
    await tell(tx, { type: 'team.invited', sellerId: asked.sellerId, data: invitedEventView(invitation) }, now)
    return invitation
  }

  const join = async (tx: Repositories, { sellerId, ...person }: Joining, now: Date): Promise<User> => {
    if (sellerId === null)
      return openAccount(tx, { ...person, companyName: 'Platform', role: 'admin', isVerified: true }, now)
    const holder = await tx.users.lock(sellerId)
    if (holder === undefined) throw teamErrors.invitation_invalid()
    if (holder.blockedAt !== null) throw authErrors.account_blocked()
    return joinAccount(tx, { ...person, holder }, now)
  }

  return {
    /** Invites to the seller's account of the actor. Throws team.full. */
    inviteMember: (actor: Actor, { role, ...person }: Invited & { role: MemberRole }, idempotency?: Idempotency) =>
      once(idempotency, async (tx) => {
        await refuseFullTeam(tx, actor.sellerId, wallClock.now())
        const asked = { ...person, sellerId: actor.sellerId, accessRole: role }
        return invitedMemberView(await invite(tx, actor, asked))
      }),

    /** Invites to the administrators, or proposes it where two of them are needed. */
    inviteAdministrator: (actor: Actor, invited: InvitedAdmin, idempotency?: Idempotency) =>
      once(idempotency, async (tx): Promise<Decided<AdminInvitationView>> => {
        const request = { operation: 'invite', ...invited }
        const about = { kind: 'role' as const, subjectId: newId(), sellerId: null, amount: ZERO, reason: null }
        const waiting = await propose(tx, actor, { ...about, request }, clock.now())
        if (waiting !== undefined) return { waits: true, view: waiting }
        return { waits: false, view: adminInvitationView(await invite(tx, actor, askedOf(invited))) }
      }),

    /** Invites whom a second administrator approved. */
    async performApproval(tx: Repositories, { request }: Approval, actor: Actor) {
      await invite(tx, actor, askedOf(request as InvitedAdmin))
      return undefined
    },

    /** Makes the account that was offered and logs in. Throws team.invitation_invalid, user.email_taken and auth.account_blocked. */
    async accept({ token, name, password }: Acceptance, from: OpenedFrom, signAccessToken: SignAccessToken) {
      const invitation = await read.invitations.findByToken(hashSecret(token), wallClock.now())
      if (invitation === undefined) throw teamErrors.invitation_invalid()
      const { sellerId, email, accessRole } = invitation
      refuseGuessable(password, { email, name }, 'password')
      await breachedPasswords.refuse(password, 'password')
      const passwordHash = await hashPassword(password)
      const { user, grant } = await transact(async (tx) => {
        const now = clock.now()
        if (!(await tx.invitations.take(invitation, wallClock.now()))) throw teamErrors.invitation_invalid()
        const user = await join(tx, { sellerId, email, accessRole, name, passwordHash }, now)
        const actor = { userId: user.id, role: user.role }
        const target = { targetType: 'user', targetId: user.id, ...accountOf(user) }
        await tx.audit.add({ actor, action: 'team.join', ...target, after: { role: accessRole } }, now)
        await tell(tx, { type: 'team.joined', sellerId, data: memberEventView(user) }, now)
        return { user, grant: await sessions.open(tx, user, from) }
      })
      return { user: userView(user), tokens: tokensView(grant, signAccessToken) }
    },
  }
}

export type InvitationsService = ReturnType<typeof createInvitationsService>
