import { lifecycle } from './lifecycle.ts'

/** The languages that mails are written in. */
export const MAIL_LANGUAGES = ['pt', 'en'] as const
export type MailLanguage = (typeof MAIL_LANGUAGES)[number]

/** The language of somebody who has not chosen one. */
export const USUAL_LANGUAGE: MailLanguage = 'pt'

/** What mails are about that people may turn off. */
export const MAIL_TOPICS = ['company', 'withdrawals', 'disputes', 'daily_digest'] as const
export type MailTopic = (typeof MAIL_TOPICS)[number]

/**
 * Why somebody gets a mail: for a topic; because it is about the security of the account; because the address was given to
 * us by somebody; because something was paid. Only topics can be turned off.
 */
export type MailCause = MailTopic | 'security' | 'address_given' | 'payment'

export const isTopic = (cause: MailCause): cause is MailTopic => MAIL_TOPICS.some((topic) => topic === cause)

export const MAIL_STATUSES = ['waiting', 'sent', 'failed', 'canceled'] as const
export type MailStatus = (typeof MAIL_STATUSES)[number]

/** A mail waits until a server has taken it, nobody will take it any more, or nobody should get it any more. */
export const mailLifecycle = lifecycle<MailStatus>('mail', {
  waiting: ['sent', 'failed', 'canceled'],
  sent: [],
  failed: [],
  canceled: [],
})

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS

/** For how long a mail is tried: at least four days (RFC 5321, 4.5.4.1). */
export const MAIL_GIVEN_UP_AFTER_MS = 4 * DAY_MS

/** How long what became of a mail can be looked up. */
export const MAILS_KEPT_MS = 30 * DAY_MS

/** Waiting after each failed attempt. From the last on it stays the same. */
const DELAYS_MS = [MINUTE_MS, 5 * MINUTE_MS, 15 * MINUTE_MS, 30 * MINUTE_MS, HOUR_MS] as const

/** Share by which a delay is made shorter or longer, so that what failed together does not come back together. */
const JITTER = 0.2

/** How long to wait after `attemptsMade` attempts, in milliseconds. `random` gives numbers from 0 up to but not 1. */
export const mailRetryDelayMs = (attemptsMade: number, random: () => number): number => {
  const delayMs = DELAYS_MS[attemptsMade - 1] ?? HOUR_MS
  return Math.round(delayMs * (1 - JITTER + 2 * JITTER * random()))
}
