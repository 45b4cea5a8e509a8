import { and, eq, inArray } from 'drizzle-orm'
import type { Reader, Writer } from '../../db/client.ts'
import { madeWithin } from '../../db/id-period.ts'
import type { Page, PageRequest } from '../../db/page.ts'
import { readPage } from '../../db/paging.ts'
import { bps, centavos } from '../../domain/money.ts'
import type { Period } from '../../domain/period.ts'
import type { NewId } from '../../ids.ts'
import { users } from '../users/users.tables.ts'
import { withdrawalConfigs } from './withdrawals.tables.ts'

export type WithdrawalConfig = typeof withdrawalConfigs.$inferSelect
export type WithdrawalConfigWithSeller = { config: WithdrawalConfig; sellerName: string; sellerEmail: string }
export type WithdrawalTerms = Omit<WithdrawalConfig, 'id' | 'sellerId' | 'createdAt' | 'updatedAt'>
export type WithdrawalConfigFilter = Period & { sellerId?: string | undefined }

/** What a new seller starts with, in centavos. Every withdrawal waits for an administrator. */
const DEFAULTS: WithdrawalTerms = {
  minAmount: centavos(1_000),
  maxAmount: centavos(5_000_000),
  dailyLimitAmount: centavos(10_000_000),
  feePercentage: bps(0),
  feeFixedAmount: centavos(0),
  autoApproveMaxAmount: centavos(0),
  isActive: true,
}

const withSeller = { config: withdrawalConfigs, sellerName: users.name, sellerEmail: users.email }

const selected = ({ sellerId, from, to }: WithdrawalConfigFilter) =>
  and(
    sellerId === undefined ? undefined : eq(withdrawalConfigs.sellerId, sellerId),
    madeWithin(withdrawalConfigs, { from, to }),
  )

export const createWithdrawalConfigsQueries = (db: Reader) => ({
  async findBySeller(sellerId: string): Promise<WithdrawalConfig | undefined> {
    const [row] = await db.select().from(withdrawalConfigs).where(eq(withdrawalConfigs.sellerId, sellerId))
    return row
  },

  /** With the name and address of its seller. */
  async find(id: string): Promise<WithdrawalConfigWithSeller | undefined> {
    const [row] = await db
      .select(withSeller)
      .from(withdrawalConfigs)
      .innerJoin(users, eq(users.id, withdrawalConfigs.sellerId))
      .where(eq(withdrawalConfigs.id, id))
    return row
  },

  /** Newest first. */
  async list(filter: WithdrawalConfigFilter, request: PageRequest): Promise<Page<WithdrawalConfigWithSeller>> {
    const page = await readPage(
      { db, table: withdrawalConfigs, id: withdrawalConfigs.id, where: selected(filter) },
      request,
    )
    // The page first, then its sellers: a join before the limit would have the whole table sorted.
    const sellers = await db
      .select({ id: users.id, name: users.name, email: users.email })
      .from(users)
      .where(inArray(users.id, [...page.rows.map(({ sellerId }) => sellerId)]))
    const byId = new Map(sellers.map((seller) => [seller.id, seller]))
    const rows = page.rows.flatMap((config) => {
      const seller = byId.get(config.sellerId)
      return seller === undefined ? [] : [{ config, sellerName: seller.name, sellerEmail: seller.email }]
    })
    return { rows, totalRecords: page.totalRecords }
  },
})

export const createWithdrawalConfigsRepository = (db: Writer, newId: NewId) => ({
  ...createWithdrawalConfigsQueries(db),

  /** Gives a new seller the platform's defaults. Once, at registration. */
  async insertDefault(sellerId: string, now: Date): Promise<void> {
    await db.insert(withdrawalConfigs).values({ ...DEFAULTS, id: newId(), sellerId, createdAt: now, updatedAt: now })
  },

  /** Locks a seller's configuration, and so everybody who asks for a withdrawal of theirs, until the transaction ends. */
  async lockBySeller(sellerId: string): Promise<WithdrawalConfig | undefined> {
    const [row] = await db
      .select()
      .from(withdrawalConfigs)
      .where(eq(withdrawalConfigs.sellerId, sellerId))
      .for('update')
    return row
  },

  /** Locks a configuration until the transaction ends. */
  async lock(id: string): Promise<WithdrawalConfig | undefined> {
    const [row] = await db.select().from(withdrawalConfigs).where(eq(withdrawalConfigs.id, id)).for('update')
    return row
  },

  async update(id: string, terms: WithdrawalTerms, now: Date): Promise<void> {
    await db
      .update(withdrawalConfigs)
      .set({ ...terms, updatedAt: now })
      .where(eq(withdrawalConfigs.id, id))
  },
})
