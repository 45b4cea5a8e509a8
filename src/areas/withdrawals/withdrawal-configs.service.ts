import type { Clock } from '../../clock.ts'
import { toListResponse } from '../../db/page.ts'
import type { Actor } from '../../domain/actor.ts'
import { centavos, toBps } from '../../domain/money.ts'
import type { Precondition } from '../../domain/precondition.ts'
import type { Reads, Transact } from '../../repositories.ts'
import { withdrawalConfigErrors } from './withdrawal-configs.errors.ts'
import type { WithdrawalTerms } from './withdrawal-configs.repository.ts'
import type { UpdateWithdrawalConfigBody, WithdrawalConfigsQuery } from './withdrawal-configs.schemas.ts'
import { termsView, withdrawalConfigView } from './withdrawal-configs.view.ts'

type Dependencies = { read: Pick<Reads, 'withdrawalConfigs'>; transact: Transact; clock: Clock }

export type WithdrawalConfigsService = ReturnType<typeof createWithdrawalConfigsService>

const termsOf = (body: UpdateWithdrawalConfigBody): WithdrawalTerms => ({
  minAmount: centavos(body.minAmount),
  maxAmount: centavos(body.maxAmount),
  dailyLimitAmount: centavos(body.dailyLimitAmount),
  feePercentage: toBps(body.feePercentage),
  feeFixedAmount: centavos(body.feeFixedAmount),
  autoApproveMaxAmount: centavos(body.autoApproveMaxAmount),
  isActive: body.isActive,
})

export const createWithdrawalConfigsService = ({ read, transact, clock }: Dependencies) => {
  const find = async ({ withdrawalConfigs }: Pick<Reads, 'withdrawalConfigs'>, id: string) => {
    const found = await withdrawalConfigs.find(id)
    if (found === undefined) throw withdrawalConfigErrors.not_found()
    return found
  }

  return {
    /** Every seller's configuration, newest first. */
    async list({ page, ...filter }: WithdrawalConfigsQuery) {
      return toListResponse(await read.withdrawalConfigs.list(filter, page), page, withdrawalConfigView)
    },

    /** Throws withdrawal_config.not_found. */
    async get(id: string) {
      return withdrawalConfigView(await find(read, id))
    },

    /** Sets what new withdrawals may be and cost. Throws withdrawal_config.not_found. */
    async update(actor: Actor, id: string, body: UpdateWithdrawalConfigBody, precondition?: Precondition) {
      return transact(async (tx) => {
        const before = await tx.withdrawalConfigs.lock(id)
        if (before === undefined) throw withdrawalConfigErrors.not_found()
        precondition?.(withdrawalConfigView(await find(tx, id)))
        const now = clock.now()
        const terms = termsOf(body)
        await tx.withdrawalConfigs.update(id, terms, now)
        const target = { targetType: 'withdrawal_config', targetId: id, sellerId: before.sellerId }
        const change = { before: termsView(before), after: termsView(terms) }
        await tx.audit.add({ actor, action: 'withdrawal_config.update', ...target, ...change }, now)
        return withdrawalConfigView(await find(tx, id))
      })
    },
  }
}
