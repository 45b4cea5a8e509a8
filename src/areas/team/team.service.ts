import type { Clock } from '../../clock.ts'
import { type PageRequest, pageOf, toListResponse } from '../../db/page.ts'
import type { Actor } from '../../domain/actor.ts'
import { isLastOwner, type MemberRole } from '../../domain/roles.ts'
import type { Reads, Repositories, Transact } from '../../repositories.ts'
import type { Actors } from '../authentication/actors.ts'
import type { EndPeople } from '../users/end-people.ts'
import { userErrors } from '../users/users.errors.ts'
import type { User } from '../users/users.repository.ts'
import type { Invitation } from './invitations.repository.ts'
import { teamErrors } from './team.errors.ts'
import { invitedEventView, invitedMemberView, memberEventView, teamMemberView } from './team.view.ts'

type Dependencies = {
  read: Pick<Reads, 'users' | 'invitations'>
  transact: Transact
  clock: Clock
  wallClock: Clock
  actors: Actors
  endPeople: EndPeople
}

const lockMember = async (tx: Repositories, { sellerId }: Actor, userId: string) => {
  const members = await tx.users.lockMembers(sellerId)
  const member = members.find(({ id }) => id === userId)
  if (member === undefined) throw teamErrors.member_not_found()
  return { members, member }
}

/** Who works for a seller, and what each may do. */
export const createTeamService = ({ read, transact, clock, wallClock, actors, endPeople }: Dependencies) => {
  const audit = (tx: Repositories, actor: Actor, action: string, before: User, after?: User) => {
    const target = { targetType: 'user', targetId: before.id, sellerId: actor.sellerId }
    const roles = { before: { role: before.accessRole }, ...(after && { after: { role: after.accessRole } }) }
    return tx.audit.add({ actor, action, ...target, ...roles }, clock.now())
  }

  const tellRemoved = (tx: Repositories, sellerId: string, data: object) =>
    tx.events.add([{ type: 'team.removed', sellerId, data }], clock.now())

  const auditWithdrawal = async (tx: Repositories, actor: Actor, invitation: Invitation) => {
    const { id, accessRole } = invitation
    const target = { targetType: 'invitation', targetId: id, sellerId: actor.sellerId }
    await tx.audit.add(
      { actor, action: 'team.withdraw_invitation', ...target, before: { role: accessRole } },
      clock.now(),
    )
    await tellRemoved(tx, actor.sellerId, invitedEventView(invitation))
    return []
  }

  return {
    async list({ sellerId }: Actor, { page }: { page: PageRequest }) {
      const members = (await read.users.listMembers(sellerId)).map(teamMemberView)
      const invited = (await read.invitations.listOpen(sellerId, wallClock.now())).map(invitedMemberView)
      return toListResponse(pageOf([...members, ...invited], page), page, (member) => member)
    },

    /** Gives a member another role, which holds for their sessions at once. Throws team.member_not_found and user.last_owner. */
    async update(actor: Actor, userId: string, { role }: { role: MemberRole }) {
      const { view, sessionIds } = await transact(async (tx) => {
        const { members, member } = await lockMember(tx, actor, userId)
        if (role !== 'owner' && isLastOwner(members, userId)) throw userErrors.last_owner()
        const after = await tx.users.update(userId, { accessRole: role }, clock.now())
        if (after === undefined) throw teamErrors.member_not_found()
        await audit(tx, actor, 'team.update_role', member, after)
        const sessionIds = await tx.authentication.listLiveSessions(userId, 'password', wallClock.now())
        return { view: teamMemberView(after), sessionIds }
      })
      actors.forget(userId, sessionIds)
      return view
    },

    /**
     * Takes somebody out of the team: their account ends with its sessions. An invitation is withdrawn. Throws team.member_not_found,
     * team.account_holder and user.last_owner.
     */
    async remove(actor: Actor, userId: string): Promise<void> {
      const ended = await transact(async (tx) => {
        const withdrawn = await tx.invitations.withdraw(actor.sellerId, userId)
        if (withdrawn) return auditWithdrawal(tx, actor, withdrawn)
        const { members, member } = await lockMember(tx, actor, userId)
        if (isLastOwner(members, userId)) throw userErrors.last_owner()
        if (member.sellerId === null) throw teamErrors.account_holder()
        await audit(tx, actor, 'team.remove', member)
        await tellRemoved(tx, actor.sellerId, memberEventView(member))
        return endPeople(tx, [member], clock.now())
      })
      for (const { userId: endedId, sessionIds } of ended) actors.forget(endedId, sessionIds)
    },
  }
}

export type TeamService = ReturnType<typeof createTeamService>
