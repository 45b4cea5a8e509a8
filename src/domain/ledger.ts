/** What a seller owns: a positive balance is money that the platform owes them. */
export const SELLER_ACCOUNTS = ['available', 'pending', 'reserved', 'blocked', 'withdrawing'] as const

/**
 * The platform's side of the same book, so that every transfer balances within one seller's rows. `clearing` (money
 * that lies at the provider) and `receivable` (owed by the card acquirer) are assets: their balances are negative.
 */
export const PLATFORM_ACCOUNTS = ['clearing', 'receivable', 'fee_revenue', 'provider_cost', 'losses'] as const

/** The accounts of a seller's book. */
export const BOOK_ACCOUNTS = [...SELLER_ACCOUNTS, ...PLATFORM_ACCOUNTS] as const

/** `treasury` is in the platform's own book alone: what it took out of what it earned, as a negative balance. */
export const LEDGER_ACCOUNTS = [...BOOK_ACCOUNTS, 'treasury'] as const

export type SellerAccount = (typeof SELLER_ACCOUNTS)[number]
export type LedgerAccount = (typeof LEDGER_ACCOUNTS)[number]

const sellerAccounts: ReadonlySet<LedgerAccount> = new Set(SELLER_ACCOUNTS)

/** Whether an account is one of the seller's buckets: those never fall below zero unforced and make the statement. */
export const isSellerAccount = (account: LedgerAccount): account is SellerAccount => sellerAccounts.has(account)

export const TRANSFER_KINDS = [
  'payment_received',
  'payment_settled',
  'reserve_held',
  'reserve_released',
  'refund_requested',
  'refund_failed',
  'dispute_opened',
  'dispute_won',
  'dispute_lost',
  'dispute_reversed',
  'withdrawal_requested',
  'withdrawal_completed',
  'withdrawal_reversed',
  'withdrawal_returned',
  'adjustment_posted',
  'loss_written_off',
  'loss_recovered',
  'treasury_paid_out',
  'treasury_returned',
  'exception_resolved',
  'payer_refund_requested',
  'payer_refund_completed',
  'payer_refund_failed',
] as const

/** Why money moved. Also the `type` of the rows in a seller's statement. */
export type TransferKind = (typeof TRANSFER_KINDS)[number]
