import { z } from 'zod'

/** A server that takes mails. */
export type SmtpServer = Readonly<{
  host: string
  port: number
  /** Encrypted from the first byte on. */
  secure: boolean
  /** Nothing but the wish to encrypt (STARTTLS) is said in clear. */
  requireTls: boolean
  credentials: Readonly<{ user: string; password: string }> | undefined
}>

/** Whom mails come from. */
export type MailSender = Readonly<{ name: string; address: string }>

const SMTPS_PORT = 465
const SUBMISSION_PORT = 587

const SERVER_FORM =
  'must be like smtp://host:587 or smtps://host:465, where needed with user:password@ before the host, and behind an smtp:// one with ?starttls=required or ?starttls=optional'
const SENDER_FORM = 'must be an address, or a name with one, like Shop <no-reply@example.com>'

const STARTTLS: ReadonlySet<string> = new Set(['required', 'optional'])

const starttlsOf = ({ searchParams, protocol }: URL): string | undefined => {
  const [[name, value = ''] = [], ...others] = [...searchParams]
  if (name === undefined) return undefined
  if (protocol !== 'smtp:' || name !== 'starttls' || !STARTTLS.has(value) || others.length > 0)
    throw new Error(SERVER_FORM)
  return value
}

const urlOf = (text: string): URL => {
  const url = URL.canParse(text) ? new URL(text) : undefined
  const isServer = url !== undefined && /^smtps?:$/.test(url.protocol) && url.hostname !== ''
  if (!isServer || !/^\/?$/.test(url.pathname) || url.hash !== '') throw new Error(SERVER_FORM)
  return url
}

const decoded = (text: string): string => {
  try {
    return decodeURIComponent(text)
  } catch {
    throw new Error(SERVER_FORM)
  }
}

/** Reads SMTP_URL. Throws an Error whose message says what it must be like. */
export const readSmtpUrl = (text: string): SmtpServer => {
  const url = urlOf(text)
  const secure = url.protocol === 'smtps:'
  const starttls = starttlsOf(url)
  const [user, password] = [decoded(url.username), decoded(url.password)]
  return Object.freeze({
    host: url.hostname.replace(/^\[|\]$/g, ''),
    port: url.port === '' ? (secure ? SMTPS_PORT : SUBMISSION_PORT) : Number(url.port),
    secure,
    // A password is not sent in clear unless that is asked for.
    requireTls: !secure && (starttls === 'required' || (user !== '' && starttls !== 'optional')),
    credentials: user === '' ? undefined : Object.freeze({ user, password }),
  })
}

/** Reads MAIL_FROM. Throws an Error whose message says what it must be like. */
export const readMailSender = (text: string): MailSender => {
  const [, name = '', named, alone] = /^(?:([^<>"\p{C}]*?)\s*<([^<>\s]+)>|([^<>\s]+))$/u.exec(text.trim()) ?? []
  const address = z
    .email()
    .max(254)
    .safeParse(named ?? alone)
  if (!address.success) throw new Error(SENDER_FORM)
  return Object.freeze({ name, address: address.data })
}
