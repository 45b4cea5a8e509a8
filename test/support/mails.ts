import { readMailSender, readSmtpUrl } from '../../src/config/smtp.ts'
import { createSecretBox } from '../../src/crypto/secret-box.ts'
import { createSendMails, type SendMailsDependencies } from '../../src/mail/engine/send-mails.ts'
import { createSmtpTransport } from '../../src/mail/engine/smtp-transport.ts'
import { createWriteMail } from '../../src/mail/engine/write-mail.ts'
import type { NewMail } from '../../src/mail/mails.repository.ts'
import type { TestApp } from './app.ts'

export const SENDER = readMailSender('Exemplo Pagamentos <no-reply@pagamentos.example.com>')
export const HOUSE = { brand: SENDER.name, publicUrl: 'https://pay.example.com' }

export const CHANGED_AT = '2026-11-20T13:31:00.000Z'

/** A mail that tells a user of a new password. */
export const passwordChanged = (userId: string): NewMail => ({
  kind: 'password_changed',
  sellerId: userId,
  to: { userId },
  data: { changedAt: CHANGED_AT },
})

/** A mail with a link to an address that nobody has shown to be theirs. */
export const verification = (address: string, token: string): NewMail => ({
  kind: 'email_verification',
  to: { address },
  data: { validUntil: CHANGED_AT },
  secret: { token },
})

/** Asks for mails in a transaction that is committed. */
export const askFor = (app: TestApp, ...mails: readonly NewMail[]): Promise<void> =>
  app.services.transact((tx) => tx.mails.add(mails))

type Options = Partial<SendMailsDependencies> & {
  url?: string
  ca?: string
  connectTimeoutMs?: number
  silenceTimeoutMs?: number
}

/** What sends mails in a process of its own, on the app's database. `close` ends its connections. */
export const newSender = (app: TestApp, { url, ca, connectTimeoutMs, silenceTimeoutMs, ...options }: Options = {}) => {
  const { read, transact, newId, logger } = app.services
  const secretBox = createSecretBox(Buffer.from(app.config.encryptionKey))
  const writeMail = createWriteMail({ read, secretBox, from: SENDER, publicUrl: () => HOUSE.publicUrl })
  const timeouts = {
    ...(connectTimeoutMs === undefined ? {} : { connectTimeoutMs }),
    ...(silenceTimeoutMs === undefined ? {} : { silenceTimeoutMs }),
  }
  const transport = url === undefined ? undefined : createSmtpTransport({ server: readSmtpUrl(url), ca, ...timeouts })
  const common = { read, transact, newId, logger, writeMail, transport, from: SENDER, random: () => 0.5 }
  return { ...createSendMails({ ...common, ...options }), close: () => transport?.close() }
}

/** Sends until nothing is due. */
export const sendAll = async (sender: { runOnce(): Promise<number> }): Promise<void> => {
  while ((await sender.runOnce()) > 0);
}

type Row = {
  id: string
  kind: string
  status: string
  reason: string | null
  attempts_made: number
  last_result: string | null
  reply_code: number | null
  message_id: string | null
  data: unknown
  secret_sealed: string | null
  recipient_address: string | null
  /** Until the next attempt. */
  wait_seconds: number | null
}

/** All mails as they lie in the database, oldest first. */
export const mailRows = async (app: TestApp): Promise<Row[]> => {
  const { rows } = await app.sql.query<Row>(
    'select *, extract(epoch from next_attempt_at - now())::float8 as wait_seconds from mails order by id',
  )
  return rows
}

/** As if this time had passed for every mail. */
export const letHoursPass = async (app: TestApp, hours: number): Promise<void> => {
  const passed = `${hours * 3_600} seconds`
  await app.sql.query(
    `update mails set created_at = created_at - $1::interval, give_up_at = give_up_at - $1::interval,
       next_attempt_at = next_attempt_at - $1::interval, ended_at = ended_at - $1::interval`,
    [passed],
  )
}

/** Forgets every mail, as if none had been asked for. */
export const forgetMails = async (app: TestApp): Promise<void> => {
  await app.sql.query('delete from mails')
}
