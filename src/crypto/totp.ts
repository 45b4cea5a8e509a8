import { createHmac, randomBytes } from 'node:crypto'
import { sameHash } from './opaque-tokens.ts'

const STEP_MS = 30_000
const DIGITS = 6
const SECRET_BYTES = 20
const RECOVERY_CODE_BYTES = 10
/** How many steps a phone's clock may be off, either way (RFC 6238, 5.2 and 6). */
const DRIFT_STEPS = 1
const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

/** Base32 without padding (RFC 4648, 6): how authenticator apps take a secret. */
export const toBase32 = (bytes: Uint8Array): string =>
  Array.from(bytes, (byte) => byte.toString(2).padStart(8, '0'))
    .join('')
    .replaceAll(/.{1,5}/g, (bits) => ALPHABET.charAt(Number.parseInt(bits.padEnd(5, '0'), 2)))

/** The code of a counter (RFC 4226, 5.3) with HMAC-SHA-1, which is all that most apps know. */
export const hotp = (secret: Uint8Array, counter: number, digits = DIGITS): string => {
  const message = Buffer.alloc(8)
  message.writeBigUInt64BE(BigInt(counter))
  const digest = createHmac('sha1', secret).update(message).digest()
  const offset = digest.readUInt8(digest.length - 1) & 0x0f
  const value = digest.readUInt32BE(offset) & 0x7fff_ffff
  return String(value % 10 ** digits).padStart(digits, '0')
}

/** The number of the half minute that an instant is in: the counter of its code (RFC 6238, 4.2). */
export const totpStep = (now: Date): number => Math.floor(now.getTime() / STEP_MS)

/** The step whose code this is, of those around an instant. Undefined: it is no code of this moment. */
export const findTotpStep = (secret: Uint8Array, code: string, now: Date): number | undefined => {
  const current = totpStep(now)
  const steps = Array.from({ length: 2 * DRIFT_STEPS + 1 }, (_, index) => current - DRIFT_STEPS + index)
  return steps.filter((step) => sameHash(hotp(secret, step), code)).at(-1)
}

/** 160 random bits, as RFC 4226, 4 recommends. */
export const newTotpSecret = (): Buffer => randomBytes(SECRET_BYTES)

/** What an authenticator app reads from a QR code (the "Key URI Format"). */
export const otpauthUrl = (secret: Uint8Array, issuer: string, account: string): string => {
  const label = `${encodeURIComponent(issuer)}:${encodeURIComponent(account)}`
  return `otpauth://totp/${label}?secret=${toBase32(secret)}&issuer=${encodeURIComponent(issuer)}`
}

/** 80 random bits, in fours to be written down: `7QZK-M2XA-9…`. */
export const newRecoveryCode = (): string => toBase32(randomBytes(RECOVERY_CODE_BYTES)).replaceAll(/.{4}(?=.)/g, '$&-')
