import { MAIL_TOPICS, type MailTopic } from '../../domain/mail.ts'
import type { MailPreferences } from '../mail-preferences.repository.ts'
import type { NotificationsBody } from './notifications.schemas.ts'

/** What somebody has chosen as the API shows it. */
export const notificationsView = ({ language, turnedOff, payerReceipts }: MailPreferences): NotificationsBody => ({
  language,
  mails: {
    company: !turnedOff.includes('company'),
    withdrawals: !turnedOff.includes('withdrawals'),
    disputes: !turnedOff.includes('disputes'),
    dailyDigest: !turnedOff.includes('daily_digest'),
  },
  payerReceipts,
})

/** The same as it is kept. */
export const preferencesOf = ({ language, mails, payerReceipts }: NotificationsBody): MailPreferences => {
  const wanted: Readonly<Record<MailTopic, boolean>> = {
    company: mails.company,
    withdrawals: mails.withdrawals,
    disputes: mails.disputes,
    daily_digest: mails.dailyDigest,
  }
  return { language, payerReceipts, turnedOff: MAIL_TOPICS.filter((topic) => !wanted[topic]) }
}
