import { type SQL, sql } from 'drizzle-orm'
import type { Reader } from '../db/client.ts'
import { NIL_UUID } from '../domain/uuid.ts'
import { CHAIN_START, FINGERPRINT_BYTES, type SealedLink } from './chain-seal.ts'
import { type BookRange, isOf } from './ledger-checks.ts'

/** The next postings of a book, not sealed yet, and the hash of the link that they follow. */
export type Unchained = Omit<SealedLink, 'chainedAt'> & { previousHash: Buffer; contentHash: Buffer }

/** A link beside what its postings say today. Null: the link before it is missing, or no posting is left. */
export type FoundLink = SealedLink & {
  hash: Buffer
  afterPostingId: string | null
  contentHash: Buffer | null
  foundFingerprints: Buffer | null
}

export type ChainPlace = { sellerId: string; sequence: number }

const NO_POSTING = NIL_UUID

const milliseconds = (instant: SQL) => sql`(extract(epoch from ${instant}) * 1000)::bigint`

// JSON, because no two different rows have the same text, whatever is written into them. Reads some postings of one book.
const hashesOf = (bounds: SQL): SQL => sql`
  select posting.id, sha256(convert_to(json_build_array(
    posting.seller_id, posting.id, posting.transfer_id, posting.account, posting.kind, posting.amount,
    posting.balance_after_amount, posting.method, posting.leg, posting.legs, ${milliseconds(sql`posting.created_at`)}, transfer.kind, transfer.reference_type,
    transfer.reference_id, transfer.forced, transfer.description, ${milliseconds(sql`transfer.created_at`)}
  )::text, 'UTF8')) as hash
  from ledger_postings as posting
  left join ledger_transfers as transfer on transfer.seller_id = posting.seller_id and transfer.id = posting.transfer_id
  where ${bounds} order by posting.id`

const contentOf = (hashes: SQL): SQL => sql`
  select (array_agg(id order by id desc))[1] as last_posting_id, count(*)::integer as postings_count,
    string_agg(substr(hash, 1, ${FINGERPRINT_BYTES}::integer), ''::bytea order by id) as fingerprints,
    sha256(string_agg(hash, ''::bytea order by id)) as content_hash
  from (${hashes}) as hashes`

type ContentRow = {
  seller_id: string
  sequence: number
  last_posting_id: string
  postings_count: number
  fingerprints: Buffer
  content_hash: Buffer
}

type LinkRow = Omit<ContentRow, 'content_hash'> & {
  hash: Buffer
  chained_at: Date
  after_posting_id: string | null
  content_hash: Buffer | null
  found_fingerprints: Buffer | null
}

export const createLedgerChainQueries = (db: Reader) => ({
  /** What time it is in the database, in whole milliseconds. */
  async findTime(): Promise<Date> {
    const { rows } = await db.execute<{ now: string }>(
      sql`select floor(extract(epoch from clock_timestamp()) * 1000) as now`,
    )
    return new Date(Number(rows[0]?.now))
  },

  /**
   * One hash over the last link of every book at an instant. Kept outside the database it proves, at any later time,
   * that nothing sealed by then was taken back.
   */
  async findAnchor(at: Date): Promise<string> {
    const { rows } = await db.execute<{ anchor: string }>(sql`
      select encode(sha256(coalesce(string_agg(hash, ''::bytea order by seller_id), ''::bytea)), 'hex') as anchor
      from (
        select distinct on (seller_id) seller_id, hash from ledger_chain
        where chained_at <= ${at.toISOString()}::timestamptz order by seller_id, sequence desc
      ) as latest`)
    return rows[0]?.anchor ?? ''
  },

  /**
   * What a link can be made of: of some books, the postings after their last link, at most `postingsMax` each. Ids of a
   * book grow in the order of its commits, so whatever is seen here is followed by nothing that belongs before it.
   */
  async listUnchained(booksMax: number, postingsMax: number): Promise<Unchained[]> {
    const { rows } = await db.execute<ContentRow & { previous_hash: Buffer | null }>(sql`
      select book.seller_id, coalesce(book.sequence, 0) + 1 as sequence, book.hash as previous_hash, content.*
      from (
        select account.seller_id, link.sequence, link.last_posting_id, link.hash
        from ledger_accounts as account left join lateral (
          select * from ledger_chain where ledger_chain.seller_id = account.seller_id order by sequence desc limit 1
        ) as link on true
        where account.account = 'available' and account.last_posting_id > coalesce(link.last_posting_id, ${NO_POSTING})
          and exists (
            select from ledger_postings as posting where posting.seller_id = account.seller_id
              and posting.id > coalesce(link.last_posting_id, ${NO_POSTING})
          )
        limit ${booksMax}
      ) as book cross join lateral (${contentOf(
        sql`${hashesOf(
          sql`posting.seller_id = book.seller_id and posting.id > coalesce(book.last_posting_id, ${NO_POSTING})`,
        )} limit ${postingsMax}`,
      )}) as content`)
    return rows.map((row) => ({
      sellerId: row.seller_id,
      sequence: row.sequence,
      previousHash: row.previous_hash ?? CHAIN_START,
      lastPostingId: row.last_posting_id,
      postingsCount: row.postings_count,
      fingerprints: row.fingerprints,
      contentHash: row.content_hash,
    }))
  },

  /** Links of some books, each beside its postings, in their order, after a place. */
  async listLinks(books: BookRange, after: ChainPlace, limit: number): Promise<FoundLink[]> {
    const { rows } = await db.execute<LinkRow>(sql`
      select link.*, before.last_posting_id as after_posting_id, content.content_hash,
        content.fingerprints as found_fingerprints
      from (
        select * from ledger_chain
        where ${isOf(books)} and (seller_id, sequence) > (${after.sellerId}::uuid, ${after.sequence}::integer)
        order by seller_id, sequence limit ${limit}
      ) as link
      left join lateral (
        select last_posting_id from ledger_chain
        where ledger_chain.seller_id = link.seller_id and ledger_chain.sequence = link.sequence - 1
        union all select ${NO_POSTING}::uuid where link.sequence = 1
      ) as before on true
      cross join lateral (${contentOf(
        hashesOf(
          sql`posting.seller_id = link.seller_id and posting.id > before.last_posting_id and posting.id <= link.last_posting_id`,
        ),
      )}) as content
      order by link.seller_id, link.sequence`)
    return rows.map((row) => ({
      sellerId: row.seller_id,
      sequence: row.sequence,
      lastPostingId: row.last_posting_id,
      postingsCount: row.postings_count,
      fingerprints: row.fingerprints,
      hash: row.hash,
      chainedAt: new Date(row.chained_at),
      afterPostingId: row.after_posting_id,
      contentHash: row.content_hash,
      foundFingerprints: row.found_fingerprints,
    }))
  },

  /** The postings of a book between two, in their order: after the first, up to the last. */
  async listPostingIds(sellerId: string, after: string, through: string): Promise<string[]> {
    const { rows } = await db.execute<{ id: string }>(sql`
      select id from ledger_postings
      where seller_id = ${sellerId}::uuid and id > ${after}::uuid and id <= ${through}::uuid order by id`)
    return rows.map(({ id }) => id)
  },

  /**
   * The first posting of each book that no link covers although the book was written to, or any was sealed
   * (`newestLinkAt`), more than a day after it.
   */
  async listForgotten(books: BookRange, newestLinkAt: Date | undefined, limit: number) {
    const newest = newestLinkAt === undefined ? sql`null` : sql`${newestLinkAt.toISOString()}`
    const { rows } = await db.execute<{ seller_id: string; id: string }>(sql`
      select account.seller_id, forgotten.id
      from ledger_accounts as account left join lateral (
        select last_posting_id from ledger_chain where ledger_chain.seller_id = account.seller_id
        order by sequence desc limit 1
      ) as link on true
      cross join lateral (
        select id, created_at from ledger_postings as posting where posting.seller_id = account.seller_id
          and posting.id > coalesce(link.last_posting_id, ${NO_POSTING}) order by id limit 1
      ) as forgotten
      cross join lateral (
        select created_at from ledger_postings as posting where posting.seller_id = account.seller_id
        order by id desc limit 1
      ) as latest
      where account.account = 'available' and ${isOf(books, sql`account.seller_id`)}
        and forgotten.created_at < greatest(latest.created_at, ${newest}::timestamptz) - interval '1 day'
      order by account.seller_id limit ${limit}`)
    return rows.map(({ seller_id, id }) => ({ sellerId: seller_id, postingId: id }))
  },
})
