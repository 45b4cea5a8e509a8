import { sql } from 'drizzle-orm'
import type { Database, Reader } from '../db/client.ts'
import { inOneMoment } from '../db/transaction.ts'
import { AFTER_ALL_BOOKS, BEFORE_ALL_BOOKS, type BookRange, checksOf } from './ledger-checks.ts'

/** Something that the books say about a seller and that cannot be. */
export type Finding = { check: string; sellerId: string; subject: string; detail: string }

type FindingRow = { seller_id: string; subject: string; detail: string }

/** What one step of a proof read and found. */
export type BooksProof = { books: BookRange; booksCount: number; findings: Finding[] }

/** No more than these of one check and step: a broken book breaks in thousands of rows for one reason. */
export const FINDINGS_MAX = 100

/** How many books are proven in one moment. A book is proven whole, and no transfer is in two of them. */
const BOOKS_MAX = 100

const rangeAfter = async (tx: Reader, after: string, limit: number) => {
  const { rows } = await tx.execute<{ seller_id: string }>(sql`
    select seller_id from ledger_accounts where account = 'available' and seller_id > ${after}::uuid
    order by seller_id limit ${limit}`)
  const through = rows.length < limit ? AFTER_ALL_BOOKS : (rows.at(-1)?.seller_id ?? AFTER_ALL_BOOKS)
  return { books: { after, through }, booksCount: rows.length }
}

/**
 * Proves the next books after a seller, in the order of the sellers: every transfer balanced, every balance equal to
 * its postings, the statement replayable, and the buckets equal to the holds, withdrawals, settlements and disputes
 * that they stand for. Answers what is wrong, at most 100 findings per check. Reads one moment of the database.
 */
export const proveBooks = (database: Database, after: string, booksMax = BOOKS_MAX): Promise<BooksProof> =>
  inOneMoment(database, async (tx) => {
    const { books, booksCount } = await rangeAfter(tx, after, booksMax)
    const findings: Finding[] = []
    for (const [check, statement] of Object.entries(checksOf(books))) {
      const { rows } = await tx.execute<FindingRow>(sql`${statement} order by 1, 2 limit ${FINDINGS_MAX}`)
      findings.push(...rows.map(({ seller_id, subject, detail }) => ({ check, sellerId: seller_id, subject, detail })))
    }
    return { books, booksCount, findings }
  })

/**
 * Proves all books, some at a time: each step reads a moment of its own, so that no moment is kept alive for as long as
 * the whole takes. Answers what is wrong; empty is proven.
 */
export const proveLedger = async (database: Database, booksMax = BOOKS_MAX): Promise<Finding[]> => {
  const findings: Finding[] = []
  let after = BEFORE_ALL_BOOKS
  while (after !== AFTER_ALL_BOOKS) {
    const step = await proveBooks(database, after, booksMax)
    findings.push(...step.findings)
    after = step.books.through
  }
  return findings
}
