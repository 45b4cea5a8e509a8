import type { Clock } from '../../clock.ts'
import { toListResponse } from '../../db/page.ts'
import type { Actor } from '../../domain/actor.ts'
import { toBps, toPercentage } from '../../domain/money.ts'
import type { Precondition } from '../../domain/precondition.ts'
import type { Reads, Repositories, Transact } from '../../repositories.ts'
import type { ReserveConfigWithSeller, ReserveTerms } from './reserve-configs.repository.ts'
import { reserveConfigErrors } from './reserves.errors.ts'
import type { ReserveConfigsQuery, UpdateReserveConfigBody } from './reserves.schemas.ts'
import { reserveConfigView } from './reserves.view.ts'

type Dependencies = { read: Pick<Reads, 'reserveConfigs'>; transact: Transact; clock: Clock }

export type ReservesService = ReturnType<typeof createReservesService>

const auditView = ({ percentage, days, isActive }: ReserveTerms) => ({
  reservePercentage: toPercentage(percentage),
  reserveDays: days,
  isActive,
})

export const createReservesService = ({ read, transact, clock }: Dependencies) => {
  const find = async ({ reserveConfigs }: Pick<Reads, 'reserveConfigs'>, id: string) => {
    const found: ReserveConfigWithSeller | undefined = await reserveConfigs.find(id)
    if (found === undefined) throw reserveConfigErrors.not_found()
    return found
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

    /** Sets what new payments hold back; holds that exist keep their amount and date. Throws reserve_config.not_found. */
    async updateConfig(actor: Actor, id: string, body: UpdateReserveConfigBody, precondition?: Precondition) {
      return transact(async (tx: Repositories) => {
        const before = await tx.reserveConfigs.lock(id)
        if (before === undefined) throw reserveConfigErrors.not_found()
        precondition?.(reserveConfigView(await find(tx, id)))
        const now = clock.now()
        const terms = { percentage: toBps(body.reservePercentage), days: body.reserveDays, isActive: body.isActive }
        await tx.reserveConfigs.update(id, terms, now)
        const target = { targetType: 'reserve_config', targetId: id, sellerId: before.sellerId }
        const change = { before: auditView(before), after: auditView(terms) }
        await tx.audit.add({ actor, action: 'reserve_config.update', ...target, ...change }, now)
        return reserveConfigView(await find(tx, id))
      })
    },
  }
}
