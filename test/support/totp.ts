import { hotp, totpStep } from '../../src/crypto/totp.ts'
import type { TestApp } from './app.ts'

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

/** The bytes of a base32 text, as an authenticator app reads it. */
export const fromBase32 = (text: string): Buffer => {
  const bits = [...text].map((letter) => ALPHABET.indexOf(letter).toString(2).padStart(5, '0')).join('')
  return Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)))
}

/** What an authenticator app with this secret shows, some half minutes from now. */
export const codeOf = (secret: string, stepsAhead = 0): string =>
  hotp(fromBase32(secret), totpStep(new Date()) + stepsAhead)

type Person = { id: string; token: string; password: string }
type Enrolled = { secret: string; recoveryCodes: string[] }

/** Gives an account a second factor. The code of this half minute is spent by it. */
export const enrol = async (app: TestApp, { id, token, password }: Person): Promise<Enrolled> => {
  const begun = await app.api.post(`users/${id}/totp`, { token, body: { currentPassword: password } })
  const { secret } = begun.body
  const confirmed = await app.api.post(`users/${id}/totp/confirm`, { token, body: { totpCode: codeOf(secret) } })
  if (confirmed.status !== 200) throw new Error(`the server answered ${confirmed.status}: ${confirmed.text}`)
  return { secret, recoveryCodes: confirmed.body.recoveryCodes }
}

/** As if the last code had been used long ago, so that the one of this half minute is good. */
export const letTimePass = async (app: TestApp, userId: string): Promise<void> => {
  await app.sql.query('update totp_secrets set last_step = 1 where user_id = $1', [userId])
}
