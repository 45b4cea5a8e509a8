import type { MailSender } from '../../config/smtp.ts'
import type { LeasedMail } from '../mail-queue.repository.ts'
import type { WrittenMail } from './write-mail.ts'

/** A mail as it travels: who it is from and for, and the bytes (RFC 5322) that servers pass on. */
export type Message = { mailId: string; envelope: { from: string; to: string[] }; raw: Buffer }

/**
 * Puts a mail into bytes. Names and addresses are told apart and never read out of one text, and the envelope is said beside
 * them, so that nothing that people wrote can add a header or a recipient.
 */
export const messageOf = async (
  { id: mailId, messageId, createdAt: date }: Pick<LeasedMail, 'id' | 'messageId' | 'createdAt'>,
  { to, subject, html, text }: WrittenMail,
  from: MailSender,
): Promise<Message> => {
  // Most processes never write a mail: what does is loaded with the first.
  const { default: MailComposer } = await import('nodemailer/lib/mail-composer')
  const composer = new MailComposer({
    // The composer writes into what it is given.
    from: { ...from },
    to: { ...to },
    messageId,
    date,
    subject,
    html,
    text,
    // RFC 3834: nobody's absence is to be told to us.
    headers: { 'Auto-Submitted': 'auto-generated' },
    newline: 'win',
    disableFileAccess: true,
    disableUrlAccess: true,
  })
  return { mailId, envelope: { from: from.address, to: [to.address] }, raw: await composer.compile().build() }
}
