import { and, eq, inArray } from 'drizzle-orm'
import type { Reader, Writer } from '../../db/client.ts'
import { madeWithin } from '../../db/id-period.ts'
import type { Page, PageRequest } from '../../db/page.ts'
import { readPage } from '../../db/paging.ts'
import { bps } from '../../domain/money.ts'
import type { Period } from '../../domain/period.ts'
import type { NewId } from '../../ids.ts'
import { users } from '../users/users.tables.ts'
import { reserveConfigs } from './reserves.tables.ts'

export type ReserveConfig = typeof reserveConfigs.$inferSelect
export type ReserveConfigWithSeller = { config: ReserveConfig; sellerName: string; sellerEmail: string }
export type ReserveTerms = Pick<ReserveConfig, 'percentage' | 'days' | 'isActive'>
export type ReserveConfigFilter = Period & { sellerId?: string | undefined }

/** What a new seller starts with: nothing is held back until an administrator says so. */
const DEFAULTS: ReserveTerms = { percentage: bps(0), days: 30, isActive: false }

const withSeller = { config: reserveConfigs, sellerName: users.name, sellerEmail: users.email }

const selected = ({ sellerId, from, to }: ReserveConfigFilter) =>
  and(
    sellerId === undefined ? undefined : eq(reserveConfigs.sellerId, sellerId),
    madeWithin(reserveConfigs, { from, to }),
  )

export const createReserveConfigsQueries = (db: Reader) => ({
  async findBySeller(sellerId: string): Promise<ReserveConfig | undefined> {
    const [row] = await db.select().from(reserveConfigs).where(eq(reserveConfigs.sellerId, sellerId))
    return row
  },

  /** With the name and address of its seller. */
  async find(id: string): Promise<ReserveConfigWithSeller | undefined> {
    const [row] = await db
      .select(withSeller)
      .from(reserveConfigs)
      .innerJoin(users, eq(users.id, reserveConfigs.sellerId))
      .where(eq(reserveConfigs.id, id))
    return row
  },

  /** Newest first. */
  async list(filter: ReserveConfigFilter, request: PageRequest): Promise<Page<ReserveConfigWithSeller>> {
    const page = await readPage({ db, table: reserveConfigs, id: reserveConfigs.id, where: selected(filter) }, request)
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

export const createReserveConfigsRepository = (db: Writer, newId: NewId) => ({
  ...createReserveConfigsQueries(db),

  /** Gives a new seller the platform's defaults. Once, at registration. */
  async insertDefault(sellerId: string, now: Date): Promise<void> {
    await db.insert(reserveConfigs).values({ ...DEFAULTS, id: newId(), sellerId, createdAt: now, updatedAt: now })
  },

  /** Locks a configuration until the transaction ends. */
  async lock(id: string): Promise<ReserveConfig | undefined> {
    const [row] = await db.select().from(reserveConfigs).where(eq(reserveConfigs.id, id)).for('update')
    return row
  },

  async update(id: string, terms: ReserveTerms, now: Date): Promise<void> {
    await db
      .update(reserveConfigs)
      .set({ ...terms, updatedAt: now })
      .where(eq(reserveConfigs.id, id))
  },
})
