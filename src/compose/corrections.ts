import { createAdjustmentsService } from '../areas/adjustments/adjustments.service.ts'
import { createAgeDebts } from '../areas/adjustments/age-debts.ts'
import { createApprovalsService } from '../areas/approvals/approvals.service.ts'
import type { FeesService } from '../areas/fees/fees.service.ts'
import { createProviderCostsService } from '../areas/provider-costs/provider-costs.service.ts'
import { createReconciliationService } from '../areas/reconciliation/reconciliation.service.ts'
import type { ReservesService } from '../areas/reserves/reserves.service.ts'
import type { InvitationsService } from '../areas/team/invitations.service.ts'
import { createTreasuryService } from '../areas/treasury/treasury.service.ts'
import type { MembersService } from '../areas/users/members.service.ts'
import type { WithdrawalConfigsService } from '../areas/withdrawals/withdrawal-configs.service.ts'
import { monotonicMs } from '../clock.ts'
import type { ProviderRegistry } from '../providers/provider.registry.ts'
import { reconciliationGauges } from '../telemetry/reconciliation-gauges.ts'
import { treasuryGauges } from '../telemetry/treasury-gauges.ts'
import type { Foundation } from './foundation.ts'
import type { composeMoneyMoves } from './money-moves.ts'

type Dependencies = Foundation & {
  providers: ProviderRegistry
  moneyMoves: ReturnType<typeof composeMoneyMoves>['services']
  fees: Pick<FeesService, 'performApproval'>
  withdrawalConfigs: Pick<WithdrawalConfigsService, 'performApproval'>
  reserves: Pick<ReservesService, 'performApproval'>
  members: Pick<MembersService, 'performApproval'>
  invitations: Pick<InvitationsService, 'performApproval'>
}

/** What people do to the books, what needs two of them, and what is the platform's own. */
export const composeCorrections = ({ moneyMoves, ...dependencies }: Dependencies) => {
  const { withdrawals } = moneyMoves
  const { fees, withdrawalConfigs, reserves, members, invitations } = dependencies
  const payTreasurySoon = () => dependencies.runSoon('payTreasury')
  const adjustments = createAdjustmentsService(dependencies)
  const treasury = createTreasuryService({ ...dependencies, payTreasurySoon })
  const reconcileSoon = () => dependencies.runSoon('reconcileProviders')
  const refundPayersSoon = () => dependencies.runSoon('refundPayers')
  const reconciliation = createReconciliationService({ ...dependencies, reconcileSoon, refundPayersSoon })
  const approvals = createApprovalsService({
    ...dependencies,
    perform: {
      withdrawal: withdrawals.performApproval,
      adjustment: adjustments.performApproval,
      write_off: adjustments.performApproval,
      reconciliation: reconciliation.performApproval,
      fee: fees.performApproval,
      withdrawal_config: withdrawalConfigs.performApproval,
      reserve_config: reserves.performApproval,
      role: (tx, approval, actor) =>
        (approval.request.operation === 'invite' ? invitations : members).performApproval(tx, approval, actor),
    },
    prepare: { treasury_payout: treasury.prepareApproval },
  })
  const jobs = { ...treasury.jobs, ...reconciliation.jobs, ageDebts: createAgeDebts(dependencies) }
  return {
    services: {
      adjustments,
      treasury,
      approvals,
      reconciliation,
      providerCosts: createProviderCostsService(dependencies),
    },
    jobs,
    gauges: [...reconciliationGauges(reconciliation), ...treasuryGauges({ ...treasury, monotonicMs })],
  }
}
