import type { NewId } from '../../ids.ts'
import type { Repositories } from '../../repositories.ts'
import type { User } from './users.repository.ts'

type Draft = Pick<User, 'email' | 'passwordHash' | 'name' | 'companyName' | 'role'> & { phone?: string | undefined }

/**
 * Writes a new user into a transaction: an administrator alone, a seller with an empty book and with the reserve and
 * withdrawal configuration that new sellers start with. Throws user.email_taken.
 */
export const createOpenAccount =
  (newId: NewId) =>
  async (tx: Repositories, draft: Draft, now: Date): Promise<User> => {
    const user: User = {
      ...draft,
      id: newId(),
      phone: draft.phone ?? null,
      // An administrator needs no company, so there is nothing to wait for.
      approved: draft.role === 'admin',
      createdAt: now,
      updatedAt: now,
      deletedAt: null,
    }
    await tx.users.insert(user)
    if (user.role === 'seller') {
      await tx.ledger.openBook(user.id)
      await tx.reserveConfigs.insertDefault(user.id, now)
      await tx.withdrawalConfigs.insertDefault(user.id, now)
    }
    return user
  }

export type OpenAccount = ReturnType<typeof createOpenAccount>
