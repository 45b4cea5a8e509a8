import type { Actor } from '../../domain/actor.ts'
import { toTimestamp } from '../../domain/timestamp.ts'
import type { Repositories } from '../../repositories.ts'
import { approvalErrors } from './approvals.errors.ts'

type Tx = Pick<Repositories, 'approvals' | 'users'>

/** Whose money it is, and who else cannot decide on it because they proposed it. */
type About = { sellerId: string | null; proposedBy?: string }

const waitsUntil = async (tx: Tx, { userId }: Actor, now: Date): Promise<Date | undefined> => {
  const from = (await tx.users.find(userId))?.approvesFrom
  return from && from > now ? from : undefined
}

/**
 * Whether somebody made a seller's account or approved its company, and another administrator could decide on its money:
 * where there is nobody else, one person has to do. Who lost their say within the last day counts as somebody else, so that
 * nobody is got rid of for it.
 */
const isInvolved = async (tx: Tx, { userId }: Actor, { sellerId, proposedBy }: About, now: Date): Promise<boolean> => {
  if (sellerId === null) return false
  const involved = (await tx.approvals.listInvolved([sellerId])).get(sellerId)
  const people = [involved?.createdBy ?? null, ...(involved?.approvedBy ?? [])].filter((id) => id !== null)
  if (!people.includes(userId)) return false
  return tx.approvals.findOtherDecider([userId, ...people, ...(proposedBy === undefined ? [] : [proposedBy])], now)
}

/** Who may decide on money, and who may not because of what they did before. */
export const createDeciders = () => ({
  /** Throws approval.first_day for an administrator who was made within the last day. */
  async refuseNew(tx: Tx, actor: Actor, now: Date): Promise<void> {
    const from = await waitsUntil(tx, actor, now)
    if (from === undefined) return
    const detail = `New administrators may not approve money on their first day. You may from ${toTimestamp(from)} on.`
    throw approvalErrors.first_day({ detail })
  },

  isInvolved,

  /** Whether what they do to the money of a seller, or of the platform, has to wait for somebody else to approve it. */
  async needsOther(tx: Tx, actor: Actor, about: About, now: Date): Promise<boolean> {
    return (await waitsUntil(tx, actor, now)) !== undefined || isInvolved(tx, actor, about, now)
  },
})

export type Deciders = ReturnType<typeof createDeciders>
