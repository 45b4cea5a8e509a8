import type { LedgerAccount } from './ledger.ts'
import { absolute, type Centavos, ZERO } from './money.ts'

/** The account plan of the general journal: `docs/accounting.md` explains it. A code never changes its meaning. */
export const ACCOUNT_PLAN: Readonly<Record<LedgerAccount, { code: string; name: string }>> = {
  clearing: { code: '1.1.01', name: 'Numerário no provedor de pagamentos' },
  receivable: { code: '1.1.02', name: 'Recebíveis de cartões' },
  available: { code: '2.1.01', name: 'Saldo disponível de lojistas' },
  pending: { code: '2.1.02', name: 'Saldo a liberar de lojistas' },
  reserved: { code: '2.1.03', name: 'Reserva de garantia de lojistas' },
  blocked: { code: '2.1.04', name: 'Saldo de lojistas bloqueado por disputas' },
  withdrawing: { code: '2.1.05', name: 'Saques de lojistas em andamento' },
  treasury: { code: '2.3.01', name: 'Resultados retirados' },
  fee_revenue: { code: '3.1.01', name: 'Receita de tarifas' },
  provider_cost: { code: '4.1.01', name: 'Custos do provedor de pagamentos' },
  losses: { code: '4.1.02', name: 'Perdas com lojistas' },
}

/** A posting in the two columns of a journal: what the ledger has as a positive amount is a credit. */
export const debitOrCredit = (amount: Centavos): { debitAmount: Centavos; creditAmount: Centavos } => ({
  debitAmount: amount < 0 ? absolute(amount) : ZERO,
  creditAmount: amount > 0 ? amount : ZERO,
})
