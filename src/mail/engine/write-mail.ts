import { z } from 'zod'
import type { MailSender } from '../../config/smtp.ts'
import type { SecretBox } from '../../crypto/secret-box.ts'
import { isTopic, type MailCause, USUAL_LANGUAGE } from '../../domain/mail.ts'
import type { Reads } from '../../repositories.ts'
import type { LeasedMail } from '../mail-queue.repository.ts'
import { templateOf } from '../templates/catalogue.ts'
import { eventFacts } from './event-mails.ts'
import { type Reader, type Rendered, render } from './render.ts'

export type WriteMailDependencies = {
  read: Pick<Reads, 'users' | 'mailPreferences' | 'mailReceipts' | 'events'>
  secretBox: Pick<SecretBox, 'open'>
  from: MailSender
  /** Where people reach the platform. */
  publicUrl: () => string
}

/** A mail that can be sent. */
export type WrittenMail = Rendered & { to: { address: string; name: string } }

/** Why a mail is not to be sent: nobody to send it to is left, or they want none about this. */
export type Unwanted = 'no_recipient' | 'turned_off'

type Content = { facts: object; reader: Reader; address: string }

// Ids carry their time, so that an event is found by its key alone.
const ALWAYS = new Date(0)

const ADDRESS_LENGTH_MAX = 254

const createFacts = ({ read, secretBox }: Pick<WriteMailDependencies, 'read' | 'secretBox'>) => {
  const eventOf = async (sellerId: string, eventId: string) => {
    const event = await read.events.find(sellerId, eventId, ALWAYS)
    if (event === undefined) throw new Error('the event that a mail tells of is gone')
    return { type: event.type, data: (JSON.parse(event.body) as { data: { id: string } }).data }
  }

  return {
    eventOf,

    async factsOf({ sellerId, eventId, data, secretSealed }: LeasedMail): Promise<object> {
      if (eventId !== null) {
        const event = await eventOf(sellerId, eventId)
        return eventFacts(event.type, event.data)
      }
      return secretSealed === null ? { ...data } : { ...data, secret: JSON.parse(secretBox.open(secretSealed)) }
    },
  }
}

// One address and nothing beside it: what sends mails would take a list, or a name, apart.
const isAddress = (text: string): boolean => z.email().max(ADDRESS_LENGTH_MAX).safeParse(text).success

/** Writes mails that were asked for: what they say is looked up now, and so is where they go. */
export const createWriteMail = ({ read, secretBox, from, publicUrl }: WriteMailDependencies) => {
  const { eventOf, factsOf } = createFacts({ read, secretBox })

  const toPayer = async ({ sellerId, eventId, language }: LeasedMail): Promise<Content | Unwanted> => {
    const { data } = await eventOf(sellerId, eventId ?? '')
    const receipt = await read.mailReceipts.find(sellerId, data.id)
    const address = receipt?.payment.customer?.email
    if (!receipt || !address || receipt.payment.paidAt === null) return 'no_recipient'
    const { id: paymentId, customer, paidAt, pixEndToEndId: endToEndId, ...payment } = receipt.payment
    const { sellerName } = receipt
    const facts = { ...payment, sellerName, paymentId, paidAt: paidAt.toISOString(), endToEndId }
    return { facts, reader: { language: language ?? USUAL_LANGUAGE, name: customer?.name }, address }
  }

  const toUser = async (
    mail: LeasedMail,
    userId: string | undefined,
    cause: MailCause,
  ): Promise<Content | Unwanted> => {
    const user = userId === undefined ? undefined : await read.users.find(userId)
    if (user === undefined || user.deletedAt !== null) return 'no_recipient'
    const { language, turnedOff } = await read.mailPreferences.find(user.id)
    if (isTopic(cause) && turnedOff.includes(cause)) return 'turned_off'
    const reader = { language: mail.language ?? language, name: user.name }
    return { facts: await factsOf(mail), reader, address: mail.recipientAddress ?? user.email }
  }

  const contentOf = async (mail: LeasedMail, cause: MailCause): Promise<Content | Unwanted> => {
    if (cause === 'payment') return toPayer(mail)
    if (mail.recipientUserId !== null) return toUser(mail, mail.recipientUserId, cause)
    if (mail.recipientAddress === null) return 'no_recipient'
    // Whoever asked does not learn whether anybody logs in with the address: that is looked up here.
    if (cause === 'security') return toUser(mail, (await read.users.findByEmail(mail.recipientAddress))?.id, cause)
    const reader = { language: mail.language ?? USUAL_LANGUAGE, name: undefined }
    return { facts: await factsOf(mail), reader, address: mail.recipientAddress }
  }

  /** Throws for a kind that this version does not know, an event that is gone, and a secret that cannot be opened. */
  return async (mail: LeasedMail): Promise<WrittenMail | Unwanted> => {
    const template = templateOf(mail.kind)
    if (template === undefined) throw new Error('there is no template for mails of this kind')
    const content = await contentOf(mail, template.cause)
    if (typeof content === 'string') return content
    const { facts, reader, address } = content
    if (!isAddress(address)) return 'no_recipient'
    const house = { brand: from.name === '' ? from.address : from.name, publicUrl: publicUrl() }
    return { ...render(template, facts, reader, house), to: { address, name: reader.name ?? '' } }
  }
}

export type WriteMail = ReturnType<typeof createWriteMail>
