import type { Clock } from '../../clock.ts'
import type { Actor } from '../../domain/actor.ts'
import { ZERO } from '../../domain/money.ts'
import { type AdminRole, isLastOwner } from '../../domain/roles.ts'
import type { Reads, Repositories, Transact } from '../../repositories.ts'
import type { Propose } from '../approvals/approvals.propose.ts'
import type { Approval } from '../approvals/approvals.repository.ts'
import type { Decided } from '../approvals/approvals.view.ts'
import type { Actors } from '../authentication/actors.ts'
import type { EndPeople } from './end-people.ts'
import { userErrors } from './users.errors.ts'
import type { User } from './users.repository.ts'
import { memberWithRoleView } from './users.view.ts'

type Dependencies = {
  read: Pick<Reads, 'users'>
  transact: Transact
  clock: Clock
  wallClock: Clock
  actors: Actors
  endPeople: EndPeople
  propose: Propose
}

type MemberView = ReturnType<typeof memberWithRoleView>

const lockAdmin = async (tx: Repositories, id: string) => {
  const admins = await tx.users.lockAdmins()
  const member = admins.find((admin) => admin.id === id)
  if (member === undefined) throw userErrors.not_found()
  return { admins, member }
}

/** Who the administrators are, and what each may do. */
export const createMembersService = ({
  read,
  transact,
  clock,
  wallClock,
  actors,
  endPeople,
  propose,
}: Dependencies) => {
  const audit = (tx: Repositories, actor: Actor, action: string, before: User, after?: User) => {
    const roles = { before: { adminRole: before.accessRole }, ...(after && { after: { adminRole: after.accessRole } }) }
    return tx.audit.add({ actor, action, targetType: 'user', targetId: before.id, ...roles }, clock.now())
  }

  const lockForRole = async (tx: Repositories, id: string, adminRole: AdminRole): Promise<User> => {
    const { admins, member } = await lockAdmin(tx, id)
    if (adminRole !== 'owner' && isLastOwner(admins, id)) throw userErrors.last_owner()
    return member
  }

  const giveRole = async (tx: Repositories, actor: Actor, member: User, adminRole: AdminRole) => {
    const after = await tx.users.update(member.id, { accessRole: adminRole }, clock.now())
    if (after === undefined) throw userErrors.not_found()
    await audit(tx, actor, 'member.update_role', member, after)
    return { after, sessionIds: await tx.authentication.listLiveSessions(member.id, 'password', wallClock.now()) }
  }

  return {
    /** Throws user.not_found, also for a seller. */
    async get(id: string) {
      const user = await read.users.find(id)
      if (user?.role !== 'admin') throw userErrors.not_found()
      return memberWithRoleView(user)
    },

    /**
     * Gives an administrator another role, which holds for their sessions at once, or proposes it where two administrators
     * are needed. Throws user.not_found and .last_owner.
     */
    async update(actor: Actor, id: string, { adminRole }: { adminRole: AdminRole }): Promise<Decided<MemberView>> {
      const { decided, sessionIds } = await transact(async (tx) => {
        const member = await lockForRole(tx, id, adminRole)
        const request = { operation: 'update', adminRole }
        const about = { kind: 'role' as const, subjectId: id, sellerId: null, amount: ZERO, reason: null }
        const waiting = await propose(tx, actor, { ...about, request, replaces: true }, clock.now())
        if (waiting !== undefined) return { decided: { waits: true as const, view: waiting }, sessionIds: [] }
        const { after, sessionIds } = await giveRole(tx, actor, member, adminRole)
        return { decided: { waits: false as const, view: memberWithRoleView(after) }, sessionIds }
      })
      actors.forget(id, sessionIds)
      return decided
    },

    /** Gives the role that a second administrator approved. Throws what `update` does. */
    async performApproval(tx: Repositories, { subjectId, request }: Approval, actor: Actor) {
      const { adminRole } = request as { adminRole: AdminRole }
      const { sessionIds } = await giveRole(tx, actor, await lockForRole(tx, subjectId, adminRole), adminRole)
      return async () => actors.forget(subjectId, sessionIds)
    },

    /** Ends an administrator's account with its sessions, or withdraws an invitation. Throws user.not_found and .last_owner. */
    async delete(actor: Actor, id: string): Promise<void> {
      const ended = await transact(async (tx) => {
        const withdrawn = await tx.invitations.withdraw(null, id)
        if (withdrawn) {
          const target = { targetType: 'invitation', targetId: id, before: { adminRole: withdrawn.accessRole } }
          await tx.audit.add({ actor, action: 'member.withdraw_invitation', ...target }, clock.now())
          return []
        }
        const { admins, member } = await lockAdmin(tx, id)
        if (isLastOwner(admins, id)) throw userErrors.last_owner()
        await audit(tx, actor, 'member.delete', member)
        return endPeople(tx, [member], clock.now())
      })
      for (const { userId, sessionIds } of ended) actors.forget(userId, sessionIds)
    },
  }
}

export type MembersService = ReturnType<typeof createMembersService>
