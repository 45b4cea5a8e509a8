import type { Clock } from '../../clock.ts'
import type { Actor } from '../../domain/actor.ts'
import { pageRequest, toListResponse } from '../../http/pagination.ts'
import { periodOf } from '../../http/period.ts'
import { toBps, toCentavos, toPercentage, toTimestamp } from '../../http/primitives.schemas.ts'
import type { Reads, Transact } from '../../repositories.ts'
import { withdrawalConfigErrors } from './withdrawal-configs.errors.ts'
import type { WithdrawalConfigWithSeller, WithdrawalTerms } from './withdrawal-configs.repository.ts'
import type { UpdateWithdrawalConfigBody, WithdrawalConfigsQuery } from './withdrawal-configs.schemas.ts'

type Dependencies = { read: Pick<Reads, 'withdrawalConfigs'>; transact: Transact; clock: Clock }

export type WithdrawalConfigsService = ReturnType<typeof createWithdrawalConfigsService>

const termsView = (terms: WithdrawalTerms) => ({
  minAmount: terms.minAmount,
  maxAmount: terms.maxAmount,
  dailyLimitAmount: terms.dailyLimitAmount,
  feePercentage: toPercentage(terms.feePercentage),
  feeFixedAmount: terms.feeFixedAmount,
  autoApproveMaxAmount: terms.autoApproveMaxAmount,
  isActive: terms.isActive,
})

const withdrawalConfigView = ({ config, sellerName, sellerEmail }: WithdrawalConfigWithSeller) => ({
  id: config.id,
  sellerId: config.sellerId,
  sellerName,
  sellerEmail,
  ...termsView(config),
  createdAt: toTimestamp(config.createdAt),
  updatedAt: toTimestamp(config.updatedAt),
})

const termsOf = (body: UpdateWithdrawalConfigBody): WithdrawalTerms => ({
  minAmount: toCentavos(body.minAmount),
  maxAmount: toCentavos(body.maxAmount),
  dailyLimitAmount: toCentavos(body.dailyLimitAmount),
  feePercentage: toBps(body.feePercentage),
  feeFixedAmount: toCentavos(body.feeFixedAmount),
  autoApproveMaxAmount: toCentavos(body.autoApproveMaxAmount),
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
    async list({ sellerId, ...query }: WithdrawalConfigsQuery) {
      const request = pageRequest(query)
      const page = await read.withdrawalConfigs.list({ sellerId, ...periodOf(query) }, request)
      return toListResponse(page, request, withdrawalConfigView)
    },

    /** Throws withdrawal_config.not_found. */
    async get(id: string) {
      return withdrawalConfigView(await find(read, id))
    },

    /** Sets what new withdrawals may be and cost. Throws withdrawal_config.not_found. */
    async update(actor: Actor, id: string, body: UpdateWithdrawalConfigBody) {
      return transact(async (tx) => {
        const before = await tx.withdrawalConfigs.lock(id)
        if (before === undefined) throw withdrawalConfigErrors.not_found()
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
