import type { SmtpServer } from '../../config/smtp.ts'
import type { Delivery, MailTransport } from './transport.ts'

/** How many mails are under way at once, each on a connection of its own. */
export const SMTP_CONNECTIONS_MAX = 5

type Options = {
  server: SmtpServer
  /** Of an authority that the machine does not know. For tests. */
  ca?: string | undefined
  connectTimeoutMs?: number
  silenceTimeoutMs?: number
}

const CONNECT_TIMEOUT_MS = 10_000
/** How long a server may take for one answer. */
const SILENCE_TIMEOUT_MS = 30_000
/** A connection is closed before servers do that, so that no mail meets one that is just going away. */
const IDLE_TIMEOUT_MS = 10_000

/** What a server answers that wants to know who we are first (RFC 4954, 6), or that we come again (RFC 5321, 4.2.2). */
const NOT_ABOUT_THE_MAIL: Readonly<Record<number, 'authentication' | 'connection'>> = {
  421: 'connection',
  503: 'connection',
  530: 'authentication',
  534: 'authentication',
  535: 'authentication',
  538: 'authentication',
}

/** What nodemailer calls failures to talk with a server at all. */
const UNREACHABLE: Readonly<Record<string, 'timeout' | 'tls' | 'authentication'>> = {
  ETIMEDOUT: 'timeout',
  EABORT: 'timeout',
  ETLS: 'tls',
  EAUTH: 'authentication',
  ENOAUTH: 'authentication',
}

/** What nodemailer says of the sender, the recipient or the message. */
const ABOUT_THE_MAIL: ReadonlySet<unknown> = new Set(['EENVELOPE', 'EMESSAGE'])

/** What a failure of nodemailer means. Nothing else of it is kept: its message quotes addresses. */
const deliveryOf = (error: unknown): Delivery => {
  const { code, responseCode } = Object(error) as { code?: unknown; responseCode?: unknown }
  const replyCode = typeof responseCode === 'number' ? responseCode : null
  const elsewhere = NOT_ABOUT_THE_MAIL[replyCode ?? 0]
  if (!ABOUT_THE_MAIL.has(code) || elsewhere !== undefined) {
    return { kind: 'unreachable', result: elsewhere ?? UNREACHABLE[String(code)] ?? 'connection', replyCode }
  }
  // Without an answer it is nodemailer that cannot send such a mail, and never will.
  const isForGood = replyCode === null || replyCode >= 500
  return { kind: isForGood ? 'refused' : 'deferred', replyCode }
}

const createPool = async ({ server, ca, connectTimeoutMs, silenceTimeoutMs }: Options) => {
  const { host, port, secure, requireTls, credentials } = server
  const { createTransport } = await import('nodemailer')
  return createTransport({
    pool: true,
    maxConnections: SMTP_CONNECTIONS_MAX,
    // A mail that a connection took with it is our own to try again: it may have arrived.
    maxRequeues: 0,
    host,
    port,
    secure,
    requireTLS: requireTls,
    ...(credentials ? { auth: { user: credentials.user, pass: credentials.password } } : {}),
    tls: { minVersion: 'TLSv1.2', ...(ca === undefined ? {} : { ca }) },
    connectionTimeout: connectTimeoutMs ?? CONNECT_TIMEOUT_MS,
    greetingTimeout: connectTimeoutMs ?? CONNECT_TIMEOUT_MS,
    dnsTimeout: connectTimeoutMs ?? CONNECT_TIMEOUT_MS,
    socketTimeout: silenceTimeoutMs ?? SILENCE_TIMEOUT_MS,
    idleTimeout: IDLE_TIMEOUT_MS,
  })
}

/** Sends mails through a server, over connections that are kept open while there is something to send. */
export const createSmtpTransport = (options: Options): MailTransport => {
  let pool: ReturnType<typeof createPool> | undefined

  return {
    async send({ envelope, raw }, signal) {
      // Most processes never send a mail: the client is loaded with the first.
      pool ??= createPool(options)
      const open = await pool
      try {
        await open.sendMail({ envelope, raw, signal })
        return { kind: 'sent' }
      } catch (error) {
        return deliveryOf(error)
      }
    },
    close() {
      void pool?.then((open) => open.close())
      pool = undefined
    },
  }
}
