import { LEDGER_ACCOUNTS } from '../../domain/ledger.ts'
import { maskPixKey } from '../../domain/masks.ts'
import { toTimestamp, toTimestampOrNull } from '../../domain/timestamp.ts'
import { treasuryOf } from '../../domain/treasury.ts'
import type { AskedProvider, AskedTreasury } from './treasury.holdings.ts'
import type { TreasuryPayout } from './treasury.repository.ts'

const askedView = ({ provider, status, askedAt, ...told }: AskedProvider) => ({
  provider,
  status,
  availableAmount: 'availableAmount' in told ? told.availableAmount : null,
  disputedAmount: 'disputedAmount' in told ? told.disputedAmount : null,
  askedAt: toTimestamp(askedAt),
})

export const treasuryView = ({ position, holdings, asked }: AskedTreasury, asOf: Date) => ({
  ...treasuryOf(position, holdings),
  owedToSellersAmount: position.owedToSellersAmount,
  cardsPendingAmount: position.cardsPendingAmount,
  providers: asked.map(askedView),
  accounts: LEDGER_ACCOUNTS.map((account) => ({ account, amount: position.balances[account] })),
  asOf: toTimestamp(asOf),
})

export const treasuryPayoutView = (row: TreasuryPayout) => ({
  id: row.id,
  amount: row.amount,
  pixKeyType: row.pixKeyType,
  pixKey: maskPixKey(row.pixKeyType, row.pixKey),
  reason: row.reason,
  status: row.status,
  statusReason: row.statusReason,
  endToEndId: row.endToEndId,
  proposedBy: row.proposedBy,
  approvedBy: row.approvedBy,
  completedAt: toTimestampOrNull(row.completedAt),
  createdAt: toTimestamp(row.createdAt),
  updatedAt: toTimestamp(row.updatedAt),
})

export type TreasuryPayoutView = ReturnType<typeof treasuryPayoutView>
