import type { Clock } from '../../clock.ts'
import { toListResponse } from '../../db/page.ts'
import type { Actor } from '../../domain/actor.ts'
import { centavos, toBps, ZERO } from '../../domain/money.ts'
import type { Precondition } from '../../domain/precondition.ts'
import type { Reads, Repositories, Transact } from '../../repositories.ts'
import type { Propose } from '../approvals/approvals.propose.ts'
import type { Approval } from '../approvals/approvals.repository.ts'
import type { Decided } from '../approvals/approvals.view.ts'
import { withdrawalConfigErrors } from './withdrawal-configs.errors.ts'
import type { WithdrawalConfig, WithdrawalTerms } from './withdrawal-configs.repository.ts'
import type { UpdateWithdrawalConfigBody, WithdrawalConfigsQuery } from './withdrawal-configs.schemas.ts'
import { termsView, withdrawalConfigView } from './withdrawal-configs.view.ts'

type Dependencies = { read: Pick<Reads, 'withdrawalConfigs'>; transact: Transact; clock: Clock; propose: Propose }

export type WithdrawalConfigsService = ReturnType<typeof createWithdrawalConfigsService>

type WithdrawalConfigView = ReturnType<typeof withdrawalConfigView>

const termsOf = (body: UpdateWithdrawalConfigBody): WithdrawalTerms => ({
  minAmount: centavos(body.minAmount),
  maxAmount: centavos(body.maxAmount),
  dailyLimitAmount: centavos(body.dailyLimitAmount),
  feePercentage: toBps(body.feePercentage),
  feeFixedAmount: centavos(body.feeFixedAmount),
  autoApproveMaxAmount: centavos(body.autoApproveMaxAmount),
  isActive: body.isActive,
})

export const createWithdrawalConfigsService = ({ read, transact, clock, propose }: Dependencies) => {
  const find = async ({ withdrawalConfigs }: Pick<Reads, 'withdrawalConfigs'>, id: string) => {
    const found = await withdrawalConfigs.find(id)
    if (found === undefined) throw withdrawalConfigErrors.not_found()
    return found
  }

  const lock = async (tx: Repositories, id: string): Promise<WithdrawalConfig> => {
    const before = await tx.withdrawalConfigs.lock(id)
    if (before === undefined) throw withdrawalConfigErrors.not_found()
    return before
  }

  const set = async (tx: Repositories, actor: Actor, before: WithdrawalConfig, body: UpdateWithdrawalConfigBody) => {
    const { id, sellerId } = before
    const now = clock.now()
    const terms = termsOf(body)
    await tx.withdrawalConfigs.update(id, terms, now)
    const target = { targetType: 'withdrawal_config', targetId: id, sellerId }
    const change = { before: termsView(before), after: termsView(terms) }
    await tx.audit.add({ actor, action: 'withdrawal_config.update', ...target, ...change }, now)
    return withdrawalConfigView(await find(tx, id))
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

    /**
     * Sets what new withdrawals may be and cost, or proposes it where two administrators are needed. Throws
     * withdrawal_config.not_found.
     */
    async update(
      actor: Actor,
      id: string,
      body: UpdateWithdrawalConfigBody,
      precondition?: Precondition,
    ): Promise<Decided<WithdrawalConfigView>> {
      return transact(async (tx): Promise<Decided<WithdrawalConfigView>> => {
        const before = await lock(tx, id)
        precondition?.(withdrawalConfigView(await find(tx, id)))
        const about = { kind: 'withdrawal_config' as const, subjectId: id, sellerId: before.sellerId, reason: null }
        const proposal = { ...about, amount: ZERO, request: { ...body }, replaces: true }
        const waiting = await propose(tx, actor, proposal, clock.now())
        if (waiting !== undefined) return { waits: true, view: waiting }
        return { waits: false, view: await set(tx, actor, before, body) }
      })
    },

    /** Sets what a second administrator approved. Throws what `update` does. */
    async performApproval(tx: Repositories, { subjectId, request }: Approval, actor: Actor) {
      await set(tx, actor, await lock(tx, subjectId), request as UpdateWithdrawalConfigBody)
      return undefined
    },
  }
}
