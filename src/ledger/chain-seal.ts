import { createHmac, createSecretKey, type KeyObject } from 'node:crypto'

/** What a link says of the postings it covers. */
export type SealedLink = {
  sellerId: string
  sequence: number
  lastPostingId: string
  postingsCount: number
  fingerprints: Buffer
  chainedAt: Date
}

/** How many bytes of each posting's hash a link keeps. */
export const FINGERPRINT_BYTES = 4

/** What the first link of a book follows. */
export const CHAIN_START = Buffer.alloc(32)

/** The key of the chain: who has the database alone cannot seal again what they changed. */
export const chainKey = (encryptionKey: string): KeyObject =>
  createSecretKey(createHmac('sha256', encryptionKey).update('ledger chain').digest())

/** The hash of a link, over the link before it, its own row, and `contentHash`: the postings and their transfers. */
export const sealOf = (key: KeyObject, previous: Buffer, link: SealedLink, contentHash: Buffer): Buffer => {
  const { sellerId, sequence, lastPostingId, postingsCount, fingerprints, chainedAt } = link
  const row = [sellerId, sequence, lastPostingId, postingsCount, fingerprints.toString('hex'), chainedAt.toISOString()]
  return createHmac('sha256', key)
    .update(JSON.stringify([previous.toString('hex'), ...row, contentHash.toString('hex')]))
    .digest()
}
