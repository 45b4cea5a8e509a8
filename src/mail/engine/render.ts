import type { MailLanguage } from '../../domain/mail.ts'
import { oneLine } from '../text/blocks.ts'
import { formatsOf } from '../text/formats.ts'
import { frameOf } from '../text/frame.ts'
import { createMailLinks } from '../text/links.ts'
import { markup } from '../text/markup.ts'
import { plainText } from '../text/plain-text.ts'
import type { Template } from '../text/template.ts'

const SUBJECT_LENGTH_MAX = 150

/** Who reads it, and how they are called; undefined: nobody knows. */
export type Reader = { language: MailLanguage; name: string | undefined }

/** What is the same in all mails: whom they are from, and where people reach the platform. */
export type House = { brand: string; publicUrl: string }

/** What a mail says, as markup and as plain text. */
export type Rendered = { subject: string; html: string; text: string }

/** Writes a mail. `facts` are those of the template. */
export const render = (
  { cause, letters }: Template<object>,
  facts: object,
  reader: Reader,
  { brand, publicUrl }: House,
): Rendered => {
  const links = createMailLinks(publicUrl)
  const { subject, body } = letters[reader.language](facts, { ...formatsOf(reader.language), links })
  const letter = { subject: oneLine(subject).slice(0, SUBJECT_LENGTH_MAX), body }
  const frame = frameOf(cause, reader, brand, links)
  return { subject: letter.subject, html: markup(letter, frame), text: plainText(letter, frame) }
}
