import { setTimeout as wait } from 'node:timers/promises'
import type { FastifyBaseLogger } from 'fastify'
import type { MailSender } from '../../config/smtp.ts'
import { mailRetryDelayMs } from '../../domain/mail.ts'
import type { NewId } from '../../ids.ts'
import type { Reads, Repositories, Transact } from '../../repositories.ts'
import type { Attempt, LeasedMail } from '../mail-queue.repository.ts'
import { type Message, messageOf } from './message.ts'
import { SMTP_CONNECTIONS_MAX } from './smtp-transport.ts'
import type { Delivery, MailTransport } from './transport.ts'
import type { WriteMail } from './write-mail.ts'

export type SendMailsDependencies = {
  read: Pick<Reads, 'mailQueue'>
  transact: Transact
  newId: NewId
  writeMail: WriteMail
  /** Absent: nothing is sent, and what waits is kept until it is given up. */
  transport: MailTransport | undefined
  from: MailSender
  logger: Pick<FastifyBaseLogger, 'error' | 'warn'>
  /** For one mail, from its first to its last word. */
  deadlineMs?: number
  /** How long a claim holds: longer than a mail may take, so that nobody sends beside us. */
  leaseMs?: number
  /** From 0 up to but not 1: spreads retries. */
  random?: () => number
}

const DEADLINE_MS = 60_000
const LEASE_MARGIN_MS = 60_000
const EXPIRE_MAX = 1_000
const RECORD_TRIES_MAX = 4
const RECORD_AGAIN_MS = 250

type Write = (tx: Repositories) => Promise<boolean>

// Until the outcome of an attempt is written the mail would be sent again: what fails is tried at once a few times.
const createRecord = ({ transact, logger }: Pick<SendMailsDependencies, 'transact' | 'logger'>) => {
  const recordFrom = async (attempt: number, mail: LeasedMail, write: Write): Promise<void> => {
    try {
      const isOurs = await transact(write)
      if (!isOurs) logger.warn({ mailId: mail.id }, 'a mail was ended, or sent by another, while it was sent')
      return
    } catch (error) {
      if (attempt === RECORD_TRIES_MAX) throw error
    }
    await wait(RECORD_AGAIN_MS * attempt)
    await recordFrom(attempt + 1, mail, write)
  }
  return (mail: LeasedMail, write: Write): Promise<void> => recordFrom(1, mail, write)
}

/** What of an attempt says whether another mail is worth trying now: not where none would get through. */
type Effect = 'done' | 'unreachable'

/** Sends the mails that wait, some at a time, each at least once. */
export const createSendMails = (dependencies: SendMailsDependencies) => {
  const { read, transact, newId, writeMail, transport, from, logger } = dependencies
  const { deadlineMs = DEADLINE_MS, random = Math.random } = dependencies
  const leaseMs = dependencies.leaseMs ?? deadlineMs + LEASE_MARGIN_MS
  const record = createRecord(dependencies)

  const postpone = (mail: LeasedMail, attempt: Attempt): Promise<void> => {
    const delayMs = mailRetryDelayMs(mail.attemptsMade + 1, random)
    return record(mail, (tx) => tx.mailQueue.postpone(mail, delayMs, attempt))
  }

  const settle = async (mail: LeasedMail, delivery: Delivery): Promise<Effect> => {
    const { kind, id: mailId } = mail
    if (delivery.kind === 'sent') {
      await record(mail, (tx) => tx.mailQueue.end(mail, 'sent', { lastResult: 'sent', replyCode: null }))
      return 'done'
    }
    const { replyCode } = delivery
    const lastResult = delivery.kind === 'unreachable' ? delivery.result : delivery.kind
    const attempt = mail.attemptsMade + 1
    logger.warn({ mailId, kind, attempt, result: lastResult, replyCode }, 'a mail was not taken')
    if (delivery.kind === 'refused') {
      await record(mail, (tx) => tx.mailQueue.end(mail, 'failed', { reason: 'refused', lastResult, replyCode }))
    } else await postpone(mail, { lastResult, replyCode })
    return delivery.kind === 'unreachable' ? 'unreachable' : 'done'
  }

  const write = async (mail: LeasedMail): Promise<Message | undefined> => {
    try {
      const written = await writeMail(mail)
      if (typeof written !== 'string') return await messageOf(mail, written, from)
      await record(mail, (tx) => tx.mailQueue.end(mail, 'canceled', { reason: written }))
    } catch (error) {
      // Our own fault, a secret that cannot be opened perhaps: somebody may mend it before the mail is given up.
      logger.error({ err: error, mailId: mail.id, kind: mail.kind }, 'a mail could not be written')
      await postpone(mail, { lastResult: 'unwritten', replyCode: null })
    }
    return undefined
  }

  const sendOne = async (mail: LeasedMail, through: MailTransport): Promise<Effect> => {
    try {
      const message = await write(mail)
      if (message === undefined) return 'done'
      return await settle(mail, await through.send(message, AbortSignal.timeout(deadlineMs)))
    } catch (error) {
      // The lease ends by itself, and the mail is sent again.
      logger.error({ err: error, mailId: mail.id }, 'what became of a mail could not be written down')
      return 'done'
    }
  }

  return {
    /** One batch, given up or sent. Answers how many mails that were: 0 when none is due, or none would get through. */
    async runOnce(): Promise<number> {
      const expired = await transact((tx) => tx.mailQueue.expire(EXPIRE_MAX))
      if (expired > 0) logger.warn({ mails: expired }, 'mails were given up: nobody took them in time')
      if (transport === undefined || !(await read.mailQueue.findDue())) return expired
      const lease = { token: newId(), leaseMs, domain: from.address.replace(/^.*@/, '') }
      const claimed = await transact((tx) => tx.mailQueue.claim(lease, SMTP_CONNECTIONS_MAX))
      const effects = await Promise.all(claimed.map((mail) => sendOne(mail, transport)))
      return effects.includes('unreachable') ? 0 : expired + claimed.length
    },
  }
}
