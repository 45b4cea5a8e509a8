import { sql } from 'drizzle-orm'
import { bigint, customType, timestamp, uuid } from 'drizzle-orm/pg-core'
import { type Bps, type Centavos, centavos } from '../domain/money.ts'

/** Money: a bigint that refuses, on read, what JavaScript could not hold exactly. */
export const amount = customType<{ data: Centavos; driverData: string }>({
  dataType: () => 'bigint',
  fromDriver: (value) => centavos(Number(value)),
  toDriver: (value) => String(value),
})

/** A rate in basis points: 1050 is 10.5 %. */
export const rateBps = customType<{ data: Bps; driverData: number }>({ dataType: () => 'integer' })

/** An instant with the API's precision, milliseconds. */
export const instant = (name: string) => timestamp(name, { withTimezone: true, precision: 3, mode: 'date' })

/** The database's time with the precision of an instant: rounded up, it would lie in the future for half a millisecond. */
export const databaseNow = sql<Date>`date_trunc('milliseconds', now())`

export const sellerId = () => uuid('seller_id').notNull()

export const createdAt = () => instant('created_at').notNull()

export const updatedAt = () => instant('updated_at').notNull()

/** A count or size that fits a double exactly. */
export const count = (name: string) => bigint(name, { mode: 'number' })
