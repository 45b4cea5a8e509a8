import { randomBytes } from 'node:crypto'
import { HOTP, Secret, TOTP } from 'otpauth'
import { sameHash } from './opaque-tokens.ts'

const SECRET_BYTES = 20
const RECOVERY_CODE_BYTES = 15

const secretOf = (bytes: Uint8Array): Secret => new Secret({ buffer: Uint8Array.from(bytes).buffer })

/** Base32 without padding (RFC 4648, 6): how authenticator apps take a secret. */
export const toBase32 = (bytes: Uint8Array): string => secretOf(bytes).base32

/** The code of a counter (RFC 4226, 5.3) with HMAC-SHA-1, which is all that most apps know. */
export const hotp = (secret: Uint8Array, counter: number, digits = 6): string =>
  HOTP.generate({ secret: secretOf(secret), counter, digits })

/** The number of the half minute that an instant is in: the counter of its code (RFC 6238, 4.2). */
export const totpStep = (now: Date): number => TOTP.counter({ timestamp: now.getTime() })

/**
 * The step whose code this is, of some that follow each other, and the last one where several have the same code: a spent
 * code must not be good once more. Undefined: it is the code of none of them.
 */
export const findTotpStep = (
  secret: Uint8Array,
  code: string,
  { from, to }: { from: number; to: number },
): number | undefined => {
  const steps = Array.from({ length: to - from + 1 }, (_, index) => from + index)
  // Not by the library's own comparison, which throws for letters of several bytes.
  return steps.filter((step) => sameHash(hotp(secret, step), code)).at(-1)
}

/** 160 random bits, as RFC 4226, 4 recommends. */
export const newTotpSecret = (): Buffer => randomBytes(SECRET_BYTES)

/** What an authenticator app reads from a QR code (the "Key URI Format"). */
export const otpauthUrl = (secret: Uint8Array, issuer: string, account: string): string =>
  new TOTP({ issuer, label: account, secret: secretOf(secret) }).toString()

/** 120 random bits, too many to guess from their hashes, in fours to be written down: `7QZK-M2XA-9…`. */
export const newRecoveryCode = (): string => toBase32(randomBytes(RECOVERY_CODE_BYTES)).replaceAll(/.{4}(?=.)/g, '$&-')
