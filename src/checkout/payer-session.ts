import { randomUUID } from 'node:crypto'
import type { CookieSerializeOptions } from '@fastify/cookie'
import { isUuid } from '../domain/uuid.ts'

/**
 * What a browser keeps of one link for a day: a name for its attempt, which all its tabs share, and the payment that
 * came of the last one. It says nothing of who pays.
 */
export type PayerSession = { nonce: string; paymentId: string | undefined }

const SECONDS = 86_400

/** The session of a cookie's value. Undefined: it is none that this server wrote. */
export const sessionOf = (value = ''): PayerSession | undefined => {
  const ids = value.split('.')
  const [nonce = '', paymentId] = ids
  return ids.length <= 2 && ids.every(isUuid) ? { nonce, paymentId } : undefined
}

export const newSession = (paymentId?: string): PayerSession => ({ nonce: randomUUID(), paymentId })

/** A session as the value of its cookie. */
export const cookieValueOf = ({ nonce, paymentId }: PayerSession): string =>
  paymentId === undefined ? nonce : `${nonce}.${paymentId}`

/** Who gets the cookie back. Not Strict: payers come from the message in which they got the link. */
export const cookieOptions = (path: string, secure: boolean): CookieSerializeOptions => ({
  path,
  secure,
  maxAge: SECONDS,
  httpOnly: true,
  sameSite: 'lax',
})
