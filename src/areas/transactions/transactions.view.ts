import { invariant } from '../../domain/invariant.ts'
import type { Language } from '../../domain/language.ts'
import { isSellerAccount, type SellerAccount, type TransferKind } from '../../domain/ledger.ts'
import { absolute, add, type Centavos, ZERO } from '../../domain/money.ts'
import { toTimestamp } from '../../domain/timestamp.ts'
import { descriptionOf } from './transactions.descriptions.ts'
import type { StatementRow } from './transactions.queries.ts'
import type { TransactionView } from './transactions.schemas.ts'

const RECEIVING: readonly SellerAccount[] = ['available', 'pending']

/** The movements that the platform takes a fee of, or gives one back with, and the bucket that the fee came out of. */
const FEE_BUCKETS: Partial<Record<TransferKind, readonly SellerAccount[]>> = {
  payment_received: RECEIVING,
  withdrawal_completed: ['withdrawing'],
  withdrawal_returned: ['available'],
  dispute_lost: ['available'],
  dispute_reversed: ['available'],
}

const feeOf = ({ posting, transfer, feeAmount }: StatementRow, bucket: SellerAccount): Centavos => {
  const bears = FEE_BUCKETS[transfer.kind]?.includes(bucket) ?? false
  return bears && posting.amount !== 0 ? feeAmount : ZERO
}

/** A row of a statement as the API shows it, its description in that language. */
export const transactionView = (row: StatementRow, language: Language): TransactionView => {
  const { posting, transfer, paymentId, externalReference } = row
  invariant(isSellerAccount(posting.account), "a statement shows the seller's buckets only")
  const feeAmount = feeOf(row, posting.account)
  const amount = absolute(posting.amount)
  return {
    id: posting.id,
    sellerId: posting.sellerId,
    type: transfer.kind,
    bucket: posting.account,
    direction: posting.amount > 0 ? 'credit' : 'debit',
    amount,
    balanceAfter: posting.balanceAfterAmount,
    // A fee is taken out of what comes in before it arrives, and is a part of what goes out.
    grossAmount: posting.amount > 0 ? add(amount, feeAmount) : amount,
    feeAmount,
    referenceType: transfer.referenceType,
    referenceId: transfer.referenceId,
    paymentId,
    externalReference,
    method: posting.method,
    description: descriptionOf(transfer, posting.amount, language),
    createdAt: toTimestamp(posting.createdAt),
  }
}

/** A row of a statement as a bank tells a movement. */
export const movementOf = ({ posting, transfer }: StatementRow, language: Language) => ({
  id: posting.id,
  amount: posting.amount,
  balanceAfter: posting.balanceAfterAmount,
  at: posting.createdAt,
  referenceId: transfer.referenceId,
  description: descriptionOf(transfer, posting.amount, language),
})
