import { type SQL, sql } from 'drizzle-orm'
import { PLATFORM_BOOK_ID } from '../domain/platform-transfers.ts'
import { NIL_UUID } from '../domain/uuid.ts'

/** Some books that are proven together: those of the sellers after `after` and up to `through`. */
export type BookRange = { after: string; through: string }

/** Before every seller, and after every seller. */
export const BEFORE_ALL_BOOKS = NIL_UUID
export const AFTER_ALL_BOOKS = 'ffffffff-ffff-ffff-ffff-ffffffffffff'

/** Whether a row is of these books. In the words of the primary keys, so that a check reads no other book's rows. */
export const isOf = ({ after, through }: BookRange, column: SQL = sql`seller_id`): SQL =>
  sql`${column} > ${after}::uuid and ${column} <= ${through}::uuid`

const bucketOf = (books: BookRange, account: string, parts: SQL): SQL => sql`
  select seller_id, ${account}::text as subject,
    'balance ' || coalesce(balance_amount, 0) || ', rows ' || coalesce(total, 0) as detail
  from (select seller_id, balance_amount from ledger_accounts where account = ${account} and ${isOf(books)}) as bucket
  full join (select seller_id, sum(part) as total from (${parts}) as parts group by seller_id) as counted
    using (seller_id)
  where coalesce(balance_amount, 0) <> coalesce(total, 0)`

const BUCKETS = sql`('available', 'pending', 'reserved', 'blocked', 'withdrawing')`

/** Each answers what is wrong: rows of a seller, the thing it is about and what does not agree. */
export const checksOf = (books: BookRange): Readonly<Record<string, SQL>> => ({
  'transfers sum to zero': sql`
    select seller_id, transfer_id::text as subject, 'postings sum to ' || sum(amount) as detail
    from ledger_postings where ${isOf(books)} group by seller_id, transfer_id having sum(amount) <> 0`,

  'transfers have postings': sql`
    select seller_id, id::text as subject, kind || ' without postings' as detail from ledger_transfers
    where ${isOf(books)} and not exists (
      select from ledger_postings
      where ledger_postings.seller_id = ledger_transfers.seller_id and transfer_id = ledger_transfers.id
    )`,

  'balances equal their postings': sql`
    select seller_id, account as subject,
      'balance ' || coalesce(balance_amount::text, 'missing') || ', postings ' || coalesce(total, 0) as detail
    from (select * from ledger_accounts where ${isOf(books)}) as accounts full join (
      select seller_id, account, sum(amount) as total from ledger_postings
      where ${isOf(books)} group by seller_id, account
    ) as posted using (seller_id, account)
    where balance_amount is distinct from coalesce(total, 0)`,

  'books sum to zero': sql`
    select seller_id, 'book' as subject, 'accounts sum to ' || sum(balance_amount) as detail
    from ledger_accounts where ${isOf(books)} group by seller_id having sum(balance_amount) <> 0`,

  'postings replay to their balances': sql`
    select seller_id, id::text as subject,
      account || ' says ' || balance_after_amount || ', replay says ' || replayed as detail
    from (
      select *, sum(amount) over (partition by seller_id, account order by id) as replayed
      from ledger_postings where ${isOf(books)}
    ) as statement
    where balance_after_amount <> replayed`,

  'books know their last posting': sql`
    select seller_id, 'book' as subject, 'last posting is ' || coalesce(latest::text, 'none') as detail
    from ledger_accounts left join lateral (
      select id as latest from ledger_postings where ledger_postings.seller_id = ledger_accounts.seller_id
      order by id desc limit 1
    ) as posted on true
    where account = 'available' and ${isOf(books)} and last_posting_id is distinct from latest`,

  'held reserves equal the reserved bucket': bucketOf(
    books,
    'reserved',
    sql`select seller_id, amount - released_amount - consumed_amount as part
        from reserve_holds where status in ('held', 'frozen') and ${isOf(books)}`,
  ),

  'open withdrawals equal the withdrawing bucket': bucketOf(
    books,
    'withdrawing',
    sql`select seller_id, amount as part from withdrawals
        where status in ('pending_approval', 'approved', 'processing') and ${isOf(books)}
        union all
        select seller_id, part from (
          select ${PLATFORM_BOOK_ID}::uuid as seller_id, amount as part from payer_refunds where status = 'processing'
        ) as given_back where ${isOf(books)}`,
  ),

  'waiting settlements equal the pending bucket': bucketOf(
    books,
    'pending',
    sql`select seller_id, amount - canceled_amount as part from payment_settlements
        where status = 'waiting' and ${isOf(books)}`,
  ),

  'open disputes equal the blocked bucket': bucketOf(
    books,
    'blocked',
    sql`select seller_id, blocked_amount as part from disputes
        where status in ('open', 'under_review') and ${isOf(books)}`,
  ),

  'no bucket but available is below zero': sql`
    select seller_id, account as subject, 'balance ' || balance_amount as detail from ledger_accounts
    where account in ('pending', 'reserved', 'blocked', 'withdrawing') and balance_amount < 0 and ${isOf(books)}`,

  'only forced debits end below zero': sql`
    select posting.seller_id, posting.id::text as subject,
      account || ' at ' || balance_after_amount || ' after an unforced ' || transfer.kind as detail
    from ledger_postings as posting
    join ledger_transfers as transfer on transfer.seller_id = posting.seller_id and transfer.id = transfer_id
    where account in ${BUCKETS} and amount < 0 and balance_after_amount < 0 and not forced
      and ${isOf(books, sql`posting.seller_id`)}`,
})
