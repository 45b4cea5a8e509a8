import { LEDGER_ACCOUNTS } from '../../domain/ledger.ts'
import { maskPixKey } from '../../domain/masks.ts'
import { toTimestamp, toTimestampOrNull } from '../../domain/timestamp.ts'
import { type Position, treasuryOf } from '../../domain/treasury.ts'
import type { TreasuryPayout } from './treasury.repository.ts'

export const treasuryView = (position: Position, asOf: Date) => ({
  ...treasuryOf(position),
  owedToSellersAmount: position.owedToSellersAmount,
  cardsPendingAmount: position.cardsPendingAmount,
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
