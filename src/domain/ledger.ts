/** What a seller owns: a positive balance is money that the platform owes them. */
export const SELLER_ACCOUNTS = ['available', 'pending', 'reserved', 'blocked', 'withdrawing'] as const

/**
 * The platform's side of the same book, so that every transfer balances within one seller's rows. `clearing` (money
 * that lies at the provider) and `receivable` (owed by the card acquirer) are assets: their balances are negative.
 */
export const PLATFORM_ACCOUNTS = ['clearing', 'receivable', 'fee_revenue', 'provider_cost', 'losses'] as const

export const LEDGER_ACCOUNTS = [...SELLER_ACCOUNTS, ...PLATFORM_ACCOUNTS] as const

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
] as const

/** Why money moved. Also the `type` of the rows in a seller's statement. */
export type TransferKind = (typeof TRANSFER_KINDS)[number]
