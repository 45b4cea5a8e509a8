import type { KeyObject } from 'node:crypto'
import type { Reader } from '../db/client.ts'
import { CHAIN_START, FINGERPRINT_BYTES, sealOf } from './chain-seal.ts'
import { type ChainPlace, createLedgerChainQueries, type FoundLink } from './ledger-chain.queries.ts'
import { AFTER_ALL_BOOKS, BEFORE_ALL_BOOKS, type BookRange } from './ledger-checks.ts'
import { FINDINGS_MAX, type Finding } from './ledger-proof.ts'

const LINKS_PER_STEP = 200

const ALL_BOOKS: BookRange = { after: BEFORE_ALL_BOOKS, through: AFTER_ALL_BOOKS }

const BROKEN = 'postings are as the chain sealed them'
const INCOMPLETE = 'the chain has all its links'

const firstDifference = (sealed: Buffer, found: Buffer): number => {
  const bytes = Math.min(sealed.length, found.length)
  for (let at = 0; at < bytes; at += FINGERPRINT_BYTES) {
    if (!sealed.subarray(at, at + FINGERPRINT_BYTES).equals(found.subarray(at, at + FINGERPRINT_BYTES))) {
      return at / FINGERPRINT_BYTES
    }
  }
  return bytes / FINGERPRINT_BYTES
}

type Queries = ReturnType<typeof createLedgerChainQueries>

/** Says at which posting a link broke: the first that is not what was sealed in its place. */
const whereBroken = async (queries: Queries, link: FoundLink): Promise<Omit<Finding, 'sellerId'>> => {
  const { sequence, fingerprints: sealed, foundFingerprints, afterPostingId, lastPostingId } = link
  const found = foundFingerprints ?? Buffer.alloc(0)
  if (sealed.equals(found)) {
    return {
      check: BROKEN,
      subject: `link ${sequence}`,
      detail: 'the link itself was changed, or another key sealed it',
    }
  }
  const ids = await queries.listPostingIds(link.sellerId, afterPostingId ?? '', lastPostingId)
  const subject = ids[firstDifference(sealed, found)] ?? lastPostingId
  const counts = `link ${sequence} sealed ${link.postingsCount} postings, ${ids.length} are there`
  const what =
    sealed.length === found.length
      ? 'this one was changed'
      : sealed.length < found.length
        ? 'this one was inserted'
        : 'before this one, or here, one was deleted'
  return { check: BROKEN, subject, detail: `${counts}: ${what}` }
}

/** Judges links in their order: each by the one before it and by its postings. */
const createJudge = (queries: Queries, keys: readonly KeyObject[]) => {
  let before: Pick<FoundLink, 'sellerId' | 'sequence' | 'hash'> | undefined

  const isIntact = (link: FoundLink): boolean => {
    const previous = link.sequence === 1 ? CHAIN_START : before?.hash
    if (previous === undefined || link.contentHash === null) return false
    const { contentHash } = link
    return keys.some((key) => sealOf(key, previous, link, contentHash).equals(link.hash))
  }

  const judge = async (link: FoundLink): Promise<Finding | undefined> => {
    const { sellerId, sequence } = link
    const expected = before?.sellerId === sellerId ? before.sequence + 1 : 1
    if (sequence !== expected) {
      const detail = `links ${expected} to ${sequence - 1} are missing`
      return { check: INCOMPLETE, sellerId, subject: `link ${sequence}`, detail }
    }
    return isIntact(link) ? undefined : { sellerId, ...(await whereBroken(queries, link)) }
  }

  return async (link: FoundLink): Promise<Finding | undefined> => {
    const finding = await judge(link)
    before = link
    return finding
  }
}

const later = (one: Date | undefined, other: Date): Date => (one === undefined || one < other ? other : one)

/**
 * Compares the postings of some books with the chain that one of the keys sealed. Answers which book broke at which posting, and
 * where links are missing. What a link covers never changes, so this needs no single moment of the database.
 */
export const proveChain = async (
  db: Reader,
  keys: readonly KeyObject[],
  books: BookRange = ALL_BOOKS,
): Promise<Finding[]> => {
  const queries = createLedgerChainQueries(db)
  const judge = createJudge(queries, keys)
  const findings: Finding[] = []
  let newestLinkAt: Date | undefined
  let place: ChainPlace = { sellerId: books.after, sequence: 0 }
  for (;;) {
    const links = await queries.listLinks(books, place, LINKS_PER_STEP)
    if (links.length === 0) break
    for (const link of links) {
      const finding = await judge(link)
      if (finding !== undefined && findings.length < FINDINGS_MAX) findings.push(finding)
      newestLinkAt = later(newestLinkAt, link.chainedAt)
      place = link
    }
  }
  const forgotten = await queries.listForgotten(books, newestLinkAt, FINDINGS_MAX)
  const detail = 'no link covers this posting of more than a day ago: links were removed'
  return [
    ...findings,
    ...forgotten.map(({ sellerId, postingId }) => ({ check: INCOMPLETE, sellerId, subject: postingId, detail })),
  ]
}

/**
 * Compares the chains with what a nightly proof said of them: `<time>=<hash>`. Answers a finding about the whole ledger
 * where links of that time are missing or others. Throws a RangeError for what is no such text.
 */
export const proveAnchor = async (db: Reader, text: string): Promise<Finding[]> => {
  const [time = '', hash = ''] = text.split('=')
  const at = new Date(time)
  if (Number.isNaN(at.getTime()) || !/^[0-9a-f]{64}$/.test(hash)) throw new RangeError(`not an anchor: ${text}`)
  if ((await createLedgerChainQueries(db).findAnchor(at)) === hash) return []
  return [{ check: INCOMPLETE, sellerId: 'any', subject: time, detail: 'the chains of that time are not these' }]
}
