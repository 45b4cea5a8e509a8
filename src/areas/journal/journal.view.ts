import { ACCOUNT_PLAN, debitOrCredit } from '../../domain/account-plan.ts'
import { saoPauloDate } from '../../domain/calendar.ts'
import { toTimestamp } from '../../domain/timestamp.ts'
import type { JournalEntry, JournalTotal } from './journal.queries.ts'

const accountOf = (account: JournalEntry['account']) => ({
  accountCode: ACCOUNT_PLAN[account].code,
  account,
  accountName: ACCOUNT_PLAN[account].name,
})

export const ENTRY_COLUMNS = [
  'date',
  'createdAt',
  'transferId',
  'leg',
  'sellerId',
  'kind',
  'referenceType',
  'referenceId',
  'method',
  'accountCode',
  'account',
  'accountName',
  'debitAmount',
  'creditAmount',
  'description',
] as const

export const TOTAL_COLUMNS = [
  'period',
  'kind',
  'accountCode',
  'account',
  'accountName',
  'postingsCount',
  'debitAmount',
  'creditAmount',
] as const

/** A posting as a line of the journal. */
export const entryLine = ({ createdAt, account, amount, ...entry }: JournalEntry) => ({
  ...entry,
  date: saoPauloDate(createdAt),
  createdAt: toTimestamp(createdAt),
  ...accountOf(account),
  ...debitOrCredit(amount),
})

/** A total as a line of the journal, of the day or month that `date` names. */
export const totalLine = ({ date, kind, account, postingsCount, debitAmount, creditAmount }: JournalTotal) => ({
  period: date,
  kind,
  ...accountOf(account),
  postingsCount,
  debitAmount,
  creditAmount,
})
