import type { KeyObject } from 'node:crypto'
import { sealOf } from '../ledger/chain-seal.ts'
import type { Transact } from '../repositories.ts'

type Dependencies = { transact: Transact; key: KeyObject }

/** All that was sealed by an instant, in one hash. */
export type ChainAnchor = { anchoredAt: Date; anchor: string }

const BOOKS_MAX = 200
const POSTINGS_MAX = 1_000

/**
 * Seals what was posted in the chain of its book, behind the money and without a lock on it. Late or in many processes,
 * it makes the same chain: one process at a time is at it.
 */
export const createChainLedger = ({ transact, key }: Dependencies) => ({
  /** One link of at most 1,000 postings for each of at most 200 books. Answers how many links: 0 is the end. */
  async runOnce(): Promise<number> {
    return transact(async (tx) => {
      if (!(await tx.ledgerChain.tryLock())) return 0
      const chainedAt = await tx.ledgerChain.findTime()
      const unchained = await tx.ledgerChain.listUnchained(BOOKS_MAX, POSTINGS_MAX)
      const links = unchained.map(({ previousHash, contentHash, ...rest }) => {
        const link = { ...rest, chainedAt }
        return { ...link, hash: sealOf(key, previousHash, link, contentHash) }
      })
      await tx.ledgerChain.insert(links)
      return links.length
    })
  },

  /** For a place outside the database. Waits until no link is being written. */
  async anchor(): Promise<ChainAnchor> {
    return transact(async (tx) => {
      await tx.ledgerChain.lock()
      const anchoredAt = await tx.ledgerChain.findTime()
      return { anchoredAt, anchor: await tx.ledgerChain.findAnchor(anchoredAt) }
    })
  },
})

export type ChainLedger = ReturnType<typeof createChainLedger>
