import { approvesFrom } from '../../domain/approval.ts'
import type { AccessRole } from '../../domain/roles.ts'
import type { NewId } from '../../ids.ts'
import type { Repositories } from '../../repositories.ts'
import type { Links } from '../recovery/links.ts'
import type { User } from './users.repository.ts'

type Draft = Pick<User, 'email' | 'passwordHash' | 'name' | 'companyName' | 'role'> & {
  phone?: string | undefined
  /** Whether it is known that mails reach the address. Absent: a link is sent to it. */
  isVerified?: boolean
  /** Absent: an owner. */
  accessRole?: AccessRole | undefined
  /** The administrator who makes it for somebody else. */
  createdBy?: string
  /** Until when a password that was made up is good. Absent: it was chosen. */
  passwordExpiresAt?: Date | null
  /** The administrator whom the platform begins with: nobody could approve money on the first day. */
  isFirstAdmin?: true | undefined
}

const NOT_YET = { lastLoginAt: null, blockedAt: null, blockReason: null, deletedAt: null }

const approvalsOf = ({ role, isFirstAdmin }: Pick<Draft, 'role' | 'isFirstAdmin'>, now: Date): Date | null =>
  role === 'admin' && !isFirstAdmin ? approvesFrom(now) : null

/**
 * Writes a new user into a transaction: an administrator alone, a seller with an empty book and with the reserve and
 * withdrawal configuration that new sellers start with, and sends a link that verifies the address. Throws user.email_taken.
 */
export const createOpenAccount =
  (newId: NewId, links: Pick<Links, 'sendVerification'>) =>
  async (tx: Repositories, { isVerified = false, isFirstAdmin, ...draft }: Draft, now: Date): Promise<User> => {
    const user: User = {
      ...draft,
      id: newId(),
      phone: draft.phone ?? null,
      passwordExpiresAt: draft.passwordExpiresAt ?? null,
      ...NOT_YET,
      sellerId: null,
      accessRole: draft.accessRole ?? 'owner',
      createdBy: draft.createdBy ?? null,
      approvesFrom: approvalsOf({ role: draft.role, isFirstAdmin }, now),
      // An administrator needs no company, so there is nothing to wait for.
      approved: draft.role === 'admin',
      emailVerifiedAt: isVerified ? now : null,
      createdAt: now,
      updatedAt: now,
    }
    await tx.users.insert(user)
    if (user.role === 'seller') {
      await tx.ledger.openBook(user.id)
      await tx.reserveConfigs.insertDefault(user.id, now)
      await tx.withdrawalConfigs.insertDefault(user.id, now)
    }
    if (!isVerified) await links.sendVerification(tx, user)
    return user
  }

type JoiningDraft = Pick<User, 'email' | 'passwordHash' | 'name' | 'accessRole'> & {
  /** Who opened the account that is joined. */
  holder: User
}

/** Writes a new member of a seller's account into a transaction, who logs in with it. Throws user.email_taken. */
export const createJoinAccount =
  (newId: NewId) =>
  async (tx: Repositories, { holder, ...draft }: JoiningDraft, now: Date): Promise<User> => {
    const { id: sellerId, companyName, approved } = holder
    const account = { sellerId, companyName, approved, role: 'seller' as const, phone: null, passwordExpiresAt: null }
    // Who joins has read the mail that was sent to the address.
    const times = { emailVerifiedAt: now, lastLoginAt: now, createdAt: now, updatedAt: now }
    const user: User = { ...NOT_YET, ...draft, ...account, ...times, createdBy: null, approvesFrom: null, id: newId() }
    await tx.users.insert(user)
    return user
  }

export type JoinAccount = ReturnType<typeof createJoinAccount>

export type OpenAccount = ReturnType<typeof createOpenAccount>
