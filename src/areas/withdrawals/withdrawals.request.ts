import type { Clock } from '../../clock.ts'
import type { Actor } from '../../domain/actor.ts'
import { addDays, saoPauloDate, startOfSaoPauloDay } from '../../domain/calendar.ts'
import { add, type Centavos, centavos, subtract } from '../../domain/money.ts'
import { withdrawalRequested } from '../../domain/transfers.ts'
import { withdrawalFee } from '../../domain/withdrawal.ts'
import type { Idempotency, Once } from '../../idempotency/once.ts'
import type { NewId } from '../../ids.ts'
import type { ProviderRegistry } from '../../providers/provider.registry.ts'
import type { Repositories } from '../../repositories.ts'
import { sellerErrors } from '../payments/payments.errors.ts'
import { userErrors } from '../users/users.errors.ts'
import type { WithdrawalConfig } from './withdrawal-configs.repository.ts'
import { balanceErrors, withdrawalErrors } from './withdrawals.errors.ts'
import { withdrawalEvent } from './withdrawals.events.ts'
import type { Withdrawal } from './withdrawals.queries.ts'
import type { RequestWithdrawalBody } from './withdrawals.schemas.ts'
import { type WithdrawalView, withdrawalView } from './withdrawals.view.ts'

type Dependencies = {
  once: Once<Repositories>
  clock: Clock
  newId: NewId
  providers: ProviderRegistry
  /** Called after the commit when a payout may go out at once. Never throws. */
  payOutSoon: () => Promise<void>
}

const checkLimits = async (
  tx: Pick<Repositories, 'withdrawals'>,
  config: WithdrawalConfig,
  amount: Centavos,
  now: Date,
): Promise<void> => {
  if (amount < config.minAmount) throw withdrawalErrors.below_minimum()
  if (amount > config.maxAmount) throw withdrawalErrors.above_maximum()
  const today = saoPauloDate(now)
  const [from, to] = [startOfSaoPauloDay(today), startOfSaoPauloDay(addDays(today, 1))]
  const requested = await tx.withdrawals.sumRequested(config.sellerId, from, to)
  if (add(requested, amount) > config.dailyLimitAmount) throw withdrawalErrors.daily_limit()
}

const amountsOf = (amount: Centavos, config: WithdrawalConfig) => {
  const feeAmount = withdrawalFee(amount, config)
  if (feeAmount >= amount) throw withdrawalErrors.fee_exceeds_amount()
  return { amount, feeAmount, netAmount: subtract(amount, feeAmount) }
}

/** Locks everything that decides on a seller's withdrawals, so that requests of one seller follow each other. */
const lockTerms = async (tx: Repositories, sellerId: string): Promise<WithdrawalConfig> => {
  const seller = await tx.users.find(sellerId)
  if (!seller?.approved) {
    throw sellerErrors.not_approved({ detail: 'This seller is not approved, so it cannot withdraw.' })
  }
  if (seller.emailVerifiedAt === null) throw userErrors.email_unverified()
  const config = await tx.withdrawalConfigs.lockBySeller(sellerId)
  if (!config?.isActive) throw withdrawalErrors.disabled()
  return config
}

type Terms = { config: WithdrawalConfig; provider: string; now: Date }

/** Takes a seller's request to withdraw: either all of it stands, money set aside, or nothing. */
export const createWithdrawalRequests = ({ once, clock, newId, providers, payOutSoon }: Dependencies) => {
  const draft = (actor: Actor, body: RequestWithdrawalBody, { config, provider, now }: Terms): Withdrawal => ({
    ...amountsOf(centavos(body.amount), config),
    sellerId: config.sellerId,
    id: newId(),
    pixKeyType: body.pixKeyType,
    pixKey: body.pixKey,
    description: body.description ?? null,
    status: 'pending_approval',
    statusReason: null,
    provider,
    endToEndId: null,
    requestedBy: actor.userId,
    approvedBy: null,
    requestedAt: now,
    approvedAt: null,
    sentAt: null,
    lastAttemptAt: null,
    completedAt: null,
    createdAt: now,
    updatedAt: now,
  })

  const accept = async (tx: Repositories, requested: Withdrawal, config: WithdrawalConfig): Promise<Withdrawal> => {
    const now = requested.requestedAt
    const approves = requested.amount <= config.autoApproveMaxAmount
    const row: Withdrawal = approves ? { ...requested, status: 'approved', approvedAt: now } : requested
    await tx.withdrawals.insert(row)
    const events = [withdrawalEvent('withdrawal.requested', requested)]
    if (approves) events.push(withdrawalEvent('withdrawal.approved', row))
    await tx.events.add(events, now)
    const { sellerId, id: withdrawalId, amount } = row
    const [outcome] = await tx.ledger.post([withdrawalRequested({ sellerId, withdrawalId, amount })], now)
    if (!outcome?.posted) throw balanceErrors.insufficient()
    return row
  }

  /**
   * Throws withdrawal.unavailable, seller.not_approved, user.email_unverified, withdrawal.disabled, .below_minimum,
   * .above_maximum, .daily_limit,
   * .fee_exceeds_amount and balance.insufficient.
   */
  return async (actor: Actor, body: RequestWithdrawalBody, idempotency: Idempotency): Promise<WithdrawalView> => {
    const view = await once(idempotency, async (tx) => {
      const { payouts: provider } = providers.routes
      if (provider === undefined) throw withdrawalErrors.unavailable()
      const config = await lockTerms(tx, actor.sellerId)
      // Read under the lock: a request that waited past midnight counts for the day on which it is accepted.
      const now = clock.now()
      await checkLimits(tx, config, centavos(body.amount), now)
      const requested = draft(actor, body, { config, provider: provider.name, now })
      return withdrawalView(await accept(tx, requested, config))
    })
    if (view.status === 'approved') await payOutSoon()
    return view
  }
}
