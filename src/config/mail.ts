import { join } from 'node:path'
import { z } from 'zod'
import { type MailSender, readMailSender, readSmtpUrl, type SmtpServer } from './smtp.ts'
import { read } from './value-types.ts'

export const mailVariables = {
  SMTP_URL: z.string().transform(read(readSmtpUrl)).optional(),
  MAIL_FROM: z.string().transform(read(readMailSender)).optional(),
}

type Environment = Readonly<Record<string, string | undefined>>

type Variables = Readonly<z.output<z.ZodObject<typeof mailVariables>> & { NODE_ENV: string }>

/**
 * What becomes of mails: an SMTP server takes them; outside production they are files to be looked at where there is none;
 * in production they are kept in the database until there is one.
 */
export type MailConfig = Readonly<{ from: MailSender }> &
  Readonly<{ kind: 'smtp'; server: SmtpServer } | { kind: 'folder'; folder: string } | { kind: 'kept' }>

/** Servers refuse mails from addresses that are not theirs, so that none can be made up. */
export const mailFaults = ({ SMTP_URL, MAIL_FROM }: Environment): string[] =>
  SMTP_URL !== undefined && MAIL_FROM === undefined ? ['MAIL_FROM: must be set when SMTP_URL is'] : []

const NOBODY: MailSender = Object.freeze({ name: 'Payment platform', address: 'no-reply@example.com' })

export const mailOf = (
  { SMTP_URL: server, MAIL_FROM: from = NOBODY, NODE_ENV }: Variables,
  dataDir: string,
): MailConfig => {
  if (server !== undefined) return Object.freeze({ kind: 'smtp', server, from })
  if (NODE_ENV === 'production') return Object.freeze({ kind: 'kept', from })
  return Object.freeze({ kind: 'folder', folder: join(dataDir, 'mail'), from })
}
