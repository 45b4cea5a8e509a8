import { randomUUID } from 'node:crypto'

/**
 * What a browser keeps of one link for a day: a name for its attempt, which all its tabs share, and the payment that
 * came of the last one. It says nothing of who pays.
 */
export type PayerSession = { nonce: string; paymentId: string | undefined }

const COOKIE = 'checkout'
const SECONDS = 86_400
const UUID = '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}'
const VALUE = new RegExp(`(?:^|;\\s*)${COOKIE}=(${UUID})(?:\\.(${UUID}))?(?:;|$)`)
const ID = new RegExp(`^${UUID}$`)

/** Whether a text is an id as this server writes them. */
export const isId = (text: string): boolean => ID.test(text)

/** The session of a Cookie header, if there is one. */
export const sessionOf = (header: string | undefined): PayerSession | undefined => {
  const [, nonce, paymentId] = VALUE.exec(header ?? '') ?? []
  return nonce === undefined ? undefined : { nonce, paymentId }
}

export const newSession = (paymentId?: string): PayerSession => ({ nonce: randomUUID(), paymentId })

/** The Set-Cookie header of a session. Not Strict: payers come from the message in which they got the link. */
export const sessionCookie = ({ nonce, paymentId }: PayerSession, path: string, isSecure: boolean): string => {
  const value = paymentId === undefined ? nonce : `${nonce}.${paymentId}`
  return `${COOKIE}=${value}; Path=${path}; Max-Age=${SECONDS}; HttpOnly; SameSite=Lax${isSecure ? '; Secure' : ''}`
}
