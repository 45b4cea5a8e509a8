import { z } from 'zod'
import { MAIL_LANGUAGES } from '../../domain/mail.ts'

const chosen = (description: string, example = true) => z.boolean().meta({ description, examples: [example] })

const fields = {
  language: z
    .enum(MAIL_LANGUAGES)
    .meta({ description: 'The language of all mails: Portuguese or English.', examples: ['pt'] }),
  mails: z
    .strictObject({
      company: chosen('Sellers: a company was approved or rejected, or has to be changed.'),
      withdrawals: chosen('Sellers: a withdrawal was completed, failed or came back.'),
      disputes: chosen('Sellers: a payment is disputed, and the time to answer runs out.'),
      dailyDigest: chosen('Administrators: what waits for them, each morning on which something does.'),
    })
    .meta({ description: 'Which mails one gets. Those about the security of the account always come.' }),
  payerReceipts: chosen('Sellers: whether payers who gave an e-mail address get a receipt.', false),
}

export const updateNotificationsBody = z
  .strictObject(fields)
  .meta({ description: 'Which mails one wants, in which language. Everything is replaced.' })

export type NotificationsBody = z.output<typeof updateNotificationsBody>

export const notificationsResponse = z
  .object({
    ...fields,
    mails: fields.mails.meta({ description: 'Which mails one gets, beside those about security.' }),
  })
  .meta({ title: 'Notifications', description: 'Which mails somebody gets.' })
