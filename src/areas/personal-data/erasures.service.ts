import type { Clock } from '../../clock.ts'
import type { Actor } from '../../domain/actor.ts'
import { toTimestamp, toTimestampOrNull } from '../../domain/timestamp.ts'
import type { Idempotency, Once } from '../../idempotency/once.ts'
import type { Reads, Repositories } from '../../repositories.ts'
import { customerErrors } from '../customers/customers.errors.ts'
import { paymentErrors } from '../payments/payments.errors.ts'
import type { ErasePayer, Payer } from './erase-payers.ts'
import { erasureErrors } from './erasures.errors.ts'
import type { Erasure } from './erasures.repository.ts'

type Dependencies = {
  read: Pick<Reads, 'erasures'>
  once: Once<Repositories>
  clock: Clock
  erasePayer: ErasePayer
  eraseCopiesSoon: () => Promise<void>
}

const erasureView = (erasure: Erasure) => ({
  id: erasure.id,
  status: erasure.completedAt === null ? ('processing' as const) : ('completed' as const),
  customersCount: erasure.customersCount,
  paymentsCount: erasure.paymentsCount,
  createdAt: toTimestamp(erasure.createdAt),
  completedAt: toTimestampOrNull(erasure.completedAt),
})

const checkNamed = async (tx: Repositories, sellerId: string, payer: Payer): Promise<void> => {
  if ('customerId' in payer && !(await tx.customers.lock(sellerId, payer.customerId))) throw customerErrors.not_found()
  if ('paymentId' in payer && !(await tx.personalData.findPaymentExists(sellerId, payer.paymentId))) {
    throw paymentErrors.not_found()
  }
}

/** Erasing those who paid a seller, whether they are customers or not. */
export const createErasuresService = ({ read, once, clock, erasePayer, eraseCopiesSoon }: Dependencies) => ({
  /** Nobody found is no refusal: then there is nothing of them. Throws customer.not_found and payment.not_found. */
  async create(actor: Actor, payer: Payer, idempotency: Idempotency | undefined) {
    const { sellerId, userId: requestedBy } = actor
    const view = await once(idempotency, async (tx) => {
      await checkNamed(tx, sellerId, payer)
      const now = clock.now()
      const erasure = await erasePayer(tx, { sellerId, requestedBy, payer }, now)
      const { id, customersCount, paymentsCount } = erasure
      const target = { targetType: 'erasure', targetId: id, sellerId }
      await tx.audit.add({ actor, action: 'payer.erase', ...target, after: { customersCount, paymentsCount } }, now)
      return erasureView(erasure)
    })
    await eraseCopiesSoon()
    return view
  },

  /** Throws erasure.not_found. */
  async get(actor: Actor, id: string) {
    const erasure = await read.erasures.find(actor.sellerId, id)
    if (erasure === undefined) throw erasureErrors.not_found()
    return erasureView(erasure)
  },
})

export type ErasuresService = ReturnType<typeof createErasuresService>
