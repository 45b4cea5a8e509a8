import type { MailConfig } from '../config/mail.ts'
import { createSecretBox } from '../crypto/secret-box.ts'
import { createNotificationsService } from '../mail/api/notifications.service.ts'
import { createMailFolder } from '../mail/development/mail-folder.ts'
import { createSendDailyDigest } from '../mail/engine/daily-digest.ts'
import { createFolderTransport } from '../mail/engine/folder-transport.ts'
import { followEvents } from '../mail/engine/follow-events.ts'
import { createMailState, mailGauges } from '../mail/engine/mail-gauges.ts'
import { createSendMails } from '../mail/engine/send-mails.ts'
import { createSmtpTransport } from '../mail/engine/smtp-transport.ts'
import type { MailTransport } from '../mail/engine/transport.ts'
import { createWriteMail } from '../mail/engine/write-mail.ts'
import type { Foundation } from './foundation.ts'

const DELETE_MAX = 5_000

const transportOf = (mail: MailConfig): MailTransport | undefined => {
  if (mail.kind === 'smtp') return createSmtpTransport(mail)
  return mail.kind === 'folder' ? createFolderTransport(mail.folder) : undefined
}

/** Mails: how they are asked for, written, sent and chosen. */
export const composeMail = (foundation: Foundation) => {
  const { config, read, transact, publicAddress } = foundation
  const { mail } = config
  const secretBox = createSecretBox(Buffer.from(config.encryptionKey))
  const writeMail = createWriteMail({ read, secretBox, from: mail.from, publicUrl: publicAddress.url })
  const transport = transportOf(mail)
  return {
    services: {
      notifications: createNotificationsService(foundation),
      /** Where mails are files that a developer looks at; undefined where they are not. */
      mailFolder: mail.kind === 'folder' ? createMailFolder(mail.folder) : undefined,
      /** Ends the connections over which mails are sent. */
      closeMail: () => transport?.close(),
    },
    jobs: {
      sendMails: createSendMails({ ...foundation, writeMail, transport, from: mail.from }),
      sendDailyDigest: createSendDailyDigest(foundation),
    },
    followEvents,
    /** Forgets one batch of what became of old mails. */
    forgetMails: () => transact((tx) => tx.mails.deleteOld(DELETE_MAX)),
    findMailState: createMailState(read.mails.findBacklog, transport !== undefined),
    gauges: mailGauges(read.mails.findBacklog),
  }
}
