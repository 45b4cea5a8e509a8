import type { Clock } from '../../clock.ts'
import { toListResponse } from '../../db/page.ts'
import type { Actor } from '../../domain/actor.ts'
import { toBps, toPercentage, ZERO } from '../../domain/money.ts'
import type { Precondition } from '../../domain/precondition.ts'
import type { Reads, Repositories, Transact } from '../../repositories.ts'
import type { Propose } from '../approvals/approvals.propose.ts'
import type { Approval } from '../approvals/approvals.repository.ts'
import type { Decided } from '../approvals/approvals.view.ts'
import type { ReserveConfig, ReserveConfigWithSeller, ReserveTerms } from './reserve-configs.repository.ts'
import { reserveConfigErrors } from './reserves.errors.ts'
import type { ReserveConfigsQuery, UpdateReserveConfigBody } from './reserves.schemas.ts'
import { reserveConfigView } from './reserves.view.ts'

type Dependencies = { read: Pick<Reads, 'reserveConfigs'>; transact: Transact; clock: Clock; propose: Propose }

export type ReservesService = ReturnType<typeof createReservesService>

type ReserveConfigView = ReturnType<typeof reserveConfigView>

const auditView = ({ percentage, days, isActive }: ReserveTerms) => ({
  reservePercentage: toPercentage(percentage),
  reserveDays: days,
  isActive,
})

export const createReservesService = ({ read, transact, clock, propose }: Dependencies) => {
  const find = async ({ reserveConfigs }: Pick<Reads, 'reserveConfigs'>, id: string) => {
    const found: ReserveConfigWithSeller | undefined = await reserveConfigs.find(id)
    if (found === undefined) throw reserveConfigErrors.not_found()
    return found
  }

  const lock = async (tx: Repositories, id: string): Promise<ReserveConfig> => {
    const before = await tx.reserveConfigs.lock(id)
    if (before === undefined) throw reserveConfigErrors.not_found()
    return before
  }

  const set = async (tx: Repositories, actor: Actor, before: ReserveConfig, body: UpdateReserveConfigBody) => {
    const { id, sellerId } = before
    const now = clock.now()
    const terms = { percentage: toBps(body.reservePercentage), days: body.reserveDays, isActive: body.isActive }
    await tx.reserveConfigs.update(id, terms, now)
    const target = { targetType: 'reserve_config', targetId: id, sellerId }
    const change = { before: auditView(before), after: auditView(terms) }
    await tx.audit.add({ actor, action: 'reserve_config.update', ...target, ...change }, now)
    return reserveConfigView(await find(tx, id))
  }

  return {
    /** Every seller's configuration, newest first. */
    async listConfigs({ page, ...filter }: ReserveConfigsQuery) {
      return toListResponse(await read.reserveConfigs.list(filter, page), page, reserveConfigView)
    },

    /** Throws reserve_config.not_found. */
    async getConfig(id: string) {
      return reserveConfigView(await find(read, id))
    },

    /**
     * Sets what new payments hold back, or proposes it where two administrators are needed; holds that exist keep their
     * amount and date. Throws reserve_config.not_found.
     */
    async updateConfig(
      actor: Actor,
      id: string,
      body: UpdateReserveConfigBody,
      precondition?: Precondition,
    ): Promise<Decided<ReserveConfigView>> {
      return transact(async (tx): Promise<Decided<ReserveConfigView>> => {
        const before = await lock(tx, id)
        precondition?.(reserveConfigView(await find(tx, id)))
        const about = { kind: 'reserve_config' as const, subjectId: id, sellerId: before.sellerId, reason: null }
        const proposal = { ...about, amount: ZERO, request: { ...body }, replaces: true }
        const waiting = await propose(tx, actor, proposal, clock.now())
        if (waiting !== undefined) return { waits: true, view: waiting }
        return { waits: false, view: await set(tx, actor, before, body) }
      })
    },

    /** Sets what a second administrator approved. Throws what `updateConfig` does. */
    async performApproval(tx: Repositories, { subjectId, request }: Approval, actor: Actor) {
      await set(tx, actor, await lock(tx, subjectId), request as UpdateReserveConfigBody)
      return undefined
    },
  }
}
