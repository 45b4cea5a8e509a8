import { type SQL, sql } from 'drizzle-orm'
import type { Database } from '../db/client.ts'
import { inTransaction, ONE_MOMENT } from '../db/transaction.ts'

/** Something that the books say about a seller and that cannot be. */
export type Finding = { check: string; sellerId: string; subject: string; detail: string }

type FindingRow = { seller_id: string; subject: string; detail: string }

/** No more than these of one check: a broken book breaks in thousands of rows for one reason. */
const FINDINGS_MAX = 100

// Each statement answers what is wrong: rows of a seller, the thing it is about and what does not agree.
const checks: Readonly<Record<string, SQL>> = {
  'transfers sum to zero': sql`
    select seller_id, transfer_id::text as subject, 'postings sum to ' || sum(amount) as detail
    from ledger_postings group by seller_id, transfer_id having sum(amount) <> 0`,

  'transfers have postings': sql`
    select seller_id, id::text as subject, kind || ' without postings' as detail from ledger_transfers
    where not exists (
      select from ledger_postings
      where ledger_postings.seller_id = ledger_transfers.seller_id and transfer_id = ledger_transfers.id
    )`,

  'balances equal their postings': sql`
    select seller_id, account as subject,
      'balance ' || coalesce(balance_amount::text, 'missing') || ', postings ' || coalesce(total, 0) as detail
    from ledger_accounts full join (
      select seller_id, account, sum(amount) as total from ledger_postings group by seller_id, account
    ) as posted using (seller_id, account)
    where balance_amount is distinct from coalesce(total, 0)`,

  'books sum to zero': sql`
    select seller_id, 'book' as subject, 'accounts sum to ' || sum(balance_amount) as detail
    from ledger_accounts group by seller_id having sum(balance_amount) <> 0`,

  'postings replay to their balances': sql`
    select seller_id, id::text as subject,
      account || ' says ' || balance_after_amount || ', replay says ' || replayed as detail
    from (
      select *, sum(amount) over (partition by seller_id, account order by id) as replayed from ledger_postings
    ) as statement
    where balance_after_amount <> replayed`,

  'accounts know their last posting': sql`
    select seller_id, account as subject, 'last posting is ' || coalesce(latest::text, 'none') as detail
    from ledger_accounts left join (
      select distinct on (seller_id, account) seller_id, account, id as latest
      from ledger_postings order by seller_id, account, id desc
    ) as posted using (seller_id, account)
    where last_posting_id is distinct from latest`,

  'held reserves equal the reserved bucket': bucketOf(
    'reserved',
    sql`select seller_id, amount - released_amount - consumed_amount as part
        from reserve_holds where status in ('held', 'frozen')`,
  ),

  'open withdrawals equal the withdrawing bucket': bucketOf(
    'withdrawing',
    sql`select seller_id, amount as part from withdrawals where status in ('pending_approval', 'approved', 'processing')`,
  ),

  'waiting settlements equal the pending bucket': bucketOf(
    'pending',
    sql`select seller_id, amount - canceled_amount as part from payment_settlements where status = 'waiting'`,
  ),

  'open disputes equal the blocked bucket': bucketOf(
    'blocked',
    sql`select seller_id, blocked_amount as part from disputes where status in ('open', 'under_review')`,
  ),

  'no bucket but available is below zero': sql`
    select seller_id, account as subject, 'balance ' || balance_amount as detail from ledger_accounts
    where account in ('pending', 'reserved', 'blocked', 'withdrawing') and balance_amount < 0`,
}

function bucketOf(account: string, parts: SQL): SQL {
  return sql`
    select seller_id, ${account}::text as subject,
      'balance ' || coalesce(balance_amount, 0) || ', rows ' || coalesce(total, 0) as detail
    from (select seller_id, balance_amount from ledger_accounts where account = ${account}) as bucket
    full join (select seller_id, sum(part) as total from (${parts}) as parts group by seller_id) as counted
      using (seller_id)
    where coalesce(balance_amount, 0) <> coalesce(total, 0)`
}

/**
 * Proves the books: every transfer balanced, every balance equal to its postings, the statement replayable, and the
 * buckets equal to the holds, withdrawals, settlements and disputes that they stand for. Answers what is wrong, at
 * most 100 findings per check; empty is proven. Reads one moment of the database, however long it takes.
 */
export const proveLedger = (database: Database): Promise<Finding[]> =>
  inTransaction(
    database,
    async (tx) => {
      const findings: Finding[] = []
      for (const [check, statement] of Object.entries(checks)) {
        const { rows } = await tx.execute<FindingRow>(sql`${statement} order by 1, 2 limit ${FINDINGS_MAX}`)
        findings.push(
          ...rows.map(({ seller_id, subject, detail }) => ({ check, sellerId: seller_id, subject, detail })),
        )
      }
      return findings
    },
    ONE_MOMENT,
  )
