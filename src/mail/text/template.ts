import type { MailCause, MailLanguage } from '../../domain/mail.ts'
import type { Block } from './blocks.ts'
import type { Formats } from './formats.ts'
import type { MailLinks } from './links.ts'

/** What a mail says, before it is markup and plain text. */
export type Letter = { subject: string; body: readonly Block[] }

/** What a template writes with. */
export type Tools = Formats & { links: MailLinks }

/**
 * A mail of one kind in every language. What of its facts stands in `secret` gives access to something: it is kept sealed,
 * and only until the mail has ended.
 */
export type Template<Facts extends object> = {
  /** Why one gets it: the footer says so. */
  cause: MailCause
  letters: Readonly<Record<MailLanguage, (facts: Facts, tools: Tools) => Letter>>
}

export const template = <Facts extends object>(
  cause: MailCause,
  letters: Template<Facts>['letters'],
): Template<Facts> => ({ cause, letters })
