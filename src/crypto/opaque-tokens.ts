import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto'

const SECRET_BYTES = 32

/** A secret of 256 random bits, in URL-safe text. */
export const newSecret = (): string => randomBytes(SECRET_BYTES).toString('base64url')

/** What is kept of a secret with 256 random bits: nothing slower than SHA-256 is needed. */
export const hashSecret = (secret: string): string => createHash('sha256').update(secret).digest('hex')

/** Compares two hashes of the same kind in constant time. */
export const sameHash = (one: string, other: string): boolean => {
  const [first, second] = [Buffer.from(one), Buffer.from(other)]
  return first.length === second.length && timingSafeEqual(first, second)
}

const keyedHash = (key: string, text: string): string => createHmac('sha256', key).update(text).digest('hex')

/** Hashes that nobody can recompute without the server's keys. */
export type KeyedHash = {
  /** The one to keep, under the newest key. */
  of(text: string): string
  /** Those under older keys, that may have been kept before. */
  olderOf(text: string): string[]
}

export const createKeyedHash = (key: string, older: readonly string[] = []): KeyedHash => ({
  of: (text) => keyedHash(key, text),
  olderOf: (text) => older.map((one) => keyedHash(one, text)),
})
