import type { Actor } from '../../domain/actor.ts'
import { mostSpecificFee } from '../../domain/fees.ts'
import { INSTALLMENTS_MAX } from '../../domain/installments.ts'
import { PAYMENT_METHODS } from '../../domain/payment.ts'
import { type Page, type PageRequest, pageRequest, toListResponse } from '../../http/pagination.ts'
import { type Period, periodOf } from '../../http/period.ts'
import type { Reads } from '../../repositories.ts'
import { createFeeChanges, type FeeChangeDependencies } from './fees.change.ts'
import { feeErrors } from './fees.errors.ts'
import type { Fee, FeeFilter } from './fees.repository.ts'
import type { AdminFeesQuery, FeesQuery } from './fees.schemas.ts'
import { type FeeView, feeView } from './fees.view.ts'

type Dependencies = FeeChangeDependencies & { read: Pick<Reads, 'fees'> }

export type FeesService = ReturnType<typeof createFeesService>

/** Every method and number of installments that a payment can have. */
const keysOf = (sellerId: string) =>
  PAYMENT_METHODS.flatMap((method) =>
    Array.from({ length: method === 'credit_card' ? INSTALLMENTS_MAX : 1 }, (_, index) => ({
      sellerId,
      method,
      installments: index + 1,
    })),
  )

const newestFirst = (first: Fee, second: Fee): number => (first.id < second.id ? 1 : -1)

const isWithin = (date: Date, { from, to }: Period): boolean =>
  (from === undefined || date >= from) && (to === undefined || date < to)

const pageOf = (fees: readonly Fee[], { page, perPage }: PageRequest): Page<Fee> => ({
  rows: fees.slice((page - 1) * perPage, page * perPage),
  totalRecords: fees.length,
})

export const createFeesService = ({ read, ...dependencies }: Dependencies) => {
  const listApplying = async (sellerId: string, { methods, ...period }: FeeFilter): Promise<Fee[]> => {
    const fees = await read.fees.listForSeller(sellerId)
    const applying = new Set(keysOf(sellerId).flatMap((key) => mostSpecificFee(fees, key) ?? []))
    return [...applying]
      .filter((fee) => (methods === undefined || methods.includes(fee.method)) && isWithin(fee.createdAt, period))
      .sort(newestFirst)
  }

  return {
    ...createFeeChanges(dependencies),

    /** A seller sees the fees that apply to them now, an administrator all active ones. */
    async list(actor: Actor, query: FeesQuery) {
      const request = pageRequest(query)
      const filter = { methods: query.method, ...periodOf(query) }
      const page =
        actor.role === 'admin'
          ? await read.fees.list({ ...filter, isActive: true }, request)
          : pageOf(await listApplying(actor.userId, filter), request)
      return toListResponse(page, request, feeView)
    },

    /** Every fee and closed version, for administrators. */
    async listAll({ sellerId, method, isActive, ...query }: AdminFeesQuery) {
      const request = pageRequest(query)
      const active = isActive === undefined ? undefined : isActive === 'true'
      const filter = { sellerId, methods: method, isActive: active, ...periodOf(query) }
      return toListResponse(await read.fees.list(filter, request), request, feeView)
    },

    /** Throws fee.not_found. */
    async get(id: string): Promise<FeeView> {
      const fee = await read.fees.find(id)
      if (fee === undefined) throw feeErrors.not_found()
      return feeView(fee)
    },
  }
}
