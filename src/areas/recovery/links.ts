import type { Clock } from '../../clock.ts'
import { hashSecret, newSecret } from '../../crypto/opaque-tokens.ts'
import { toTimestamp } from '../../domain/timestamp.ts'
import type { NewMail } from '../../mail/mails.repository.ts'
import type { Repositories } from '../../repositories.ts'
import type { User } from '../users/users.repository.ts'
import { accountOf } from '../users/users.view.ts'
import type { LinkPurpose } from './link-tokens.repository.ts'

export type LinkWrites = Pick<Repositories, 'linkTokens' | 'mails'>

type Addressee = Pick<User, 'id' | 'role' | 'sellerId'>

/** How long a link is good for. Real time, whatever the platform's clock says. */
const LINK_MS = 3_600_000

type Link = { purpose: LinkPurpose; email: string; userId: string | null }
type Carried = { data: { validUntil: string }; secret: { token: string } }

/** Sends links that work once: a token of 256 random bits, of which a hash is kept, and the mail that carries it. */
export const createLinks = (wallClock: Clock) => {
  const send = async (tx: LinkWrites, link: Link, mailOf: (carried: Carried) => NewMail): Promise<void> => {
    const token = newSecret()
    const createdAt = wallClock.now()
    const expiresAt = new Date(createdAt.getTime() + LINK_MS)
    const isSent = await tx.linkTokens.insertWithinPace({ ...link, tokenHash: hashSecret(token), createdAt, expiresAt })
    if (isSent) await tx.mails.add([mailOf({ data: { validUntil: toTimestamp(expiresAt) }, secret: { token } })])
  }

  return {
    /**
     * To an address, for a new password. The same is done whether anybody has it: who that is, if anybody, is looked up
     * when the mail is written.
     */
    sendReset: (tx: LinkWrites, email: string): Promise<void> =>
      send(tx, { purpose: 'reset_password', email, userId: null }, (carried) => ({
        kind: 'password_recovery',
        to: { address: email },
        ...carried,
      })),

    /** To the address of an account, to show that it is theirs. */
    sendVerification: (tx: LinkWrites, user: Addressee & Pick<User, 'email'>): Promise<void> =>
      send(tx, { purpose: 'verify_email', email: user.email, userId: user.id }, (carried) => ({
        kind: 'email_verification',
        ...accountOf(user),
        to: { userId: user.id, address: user.email },
        ...carried,
      })),

    /** To an address that an account is to have. */
    sendConfirmation: (tx: LinkWrites, user: Addressee, email: string): Promise<void> =>
      send(tx, { purpose: 'change_email', email, userId: user.id }, (carried) => ({
        kind: 'email_confirmation',
        ...accountOf(user),
        to: { userId: user.id, address: email },
        ...carried,
      })),
  }
}

export type Links = ReturnType<typeof createLinks>
