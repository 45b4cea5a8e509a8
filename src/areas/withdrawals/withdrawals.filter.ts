import { and, eq, ilike, inArray, type SQL } from 'drizzle-orm'
import { madeWithin } from '../../db/id-period.ts'
import { anywhere } from '../../db/like.ts'
import type { Period } from '../../domain/period.ts'
import type { WithdrawalStatus } from '../../domain/withdrawal.ts'
import { withdrawalSearchText, withdrawals } from './withdrawals.tables.ts'

/** Which withdrawals of a list. Without a seller, of all sellers: for administrators only. */
export type WithdrawalFilter = Period & {
  sellerId?: string | undefined
  status?: readonly WithdrawalStatus[] | undefined
  search?: string | undefined
}

const matching = (search: string | undefined): SQL | undefined =>
  search === undefined ? undefined : ilike(withdrawalSearchText(withdrawals), anywhere(search))

/** The condition behind the filters of a list. */
export const withdrawalsWhere = ({ sellerId, status, search, from, to }: WithdrawalFilter): SQL | undefined =>
  and(
    sellerId === undefined ? undefined : eq(withdrawals.sellerId, sellerId),
    status === undefined || status.length === 0 ? undefined : inArray(withdrawals.status, [...status]),
    matching(search),
    madeWithin(withdrawals, { from, to }),
  )
