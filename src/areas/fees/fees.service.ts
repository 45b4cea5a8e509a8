import { pageOf, toListResponse } from '../../db/page.ts'
import type { Actor } from '../../domain/actor.ts'
import { mostSpecificFee } from '../../domain/fees.ts'
import { INSTALLMENTS_MAX } from '../../domain/installments.ts'
import { PAYMENT_METHODS } from '../../domain/payment.ts'
import type { Period } from '../../domain/period.ts'
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

const isWithin = (date: Date, { from, to }: Period): boolean =>
  (from === undefined || date >= from) && (to === undefined || date < to)

export const createFeesService = ({ read, ...dependencies }: Dependencies) => {
  const listApplying = async (sellerId: string, { methods, ...period }: FeeFilter): Promise<Fee[]> => {
    const fees = await read.fees.listForSeller(sellerId)
    const applying = new Set(keysOf(sellerId).flatMap((key) => mostSpecificFee(fees, key) ?? []))
    return [...applying].filter(
      (fee) => (methods === undefined || methods.includes(fee.method)) && isWithin(fee.createdAt, period),
    )
  }

  return {
    ...createFeeChanges(dependencies),

    /** A seller sees the fees that apply to them now, an administrator all active ones. */
    async list(actor: Actor, { page, method, ...period }: FeesQuery) {
      const filter = { methods: method, ...period }
      const found =
        actor.role === 'admin'
          ? await read.fees.list({ ...filter, isActive: true }, page)
          : pageOf(await listApplying(actor.sellerId, filter), page)
      return toListResponse(found, page, feeView)
    },

    /** Every fee and closed version, for administrators. */
    async listAll({ page, method, isActive, ...filter }: AdminFeesQuery) {
      const active = isActive === undefined ? undefined : isActive === 'true'
      const found = await read.fees.list({ ...filter, methods: method, isActive: active }, page)
      return toListResponse(found, page, feeView)
    },

    /** Throws fee.not_found. */
    async get(id: string): Promise<FeeView> {
      const fee = await read.fees.find(id)
      if (fee === undefined) throw feeErrors.not_found()
      return feeView(fee)
    },
  }
}
