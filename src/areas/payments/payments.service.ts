import type { FastifyBaseLogger } from 'fastify'
import type { Clock } from '../../clock.ts'
import { createLoader } from '../../db/loader.ts'
import type { Actor } from '../../domain/actor.ts'
import { pageRequest, toListResponse } from '../../http/pagination.ts'
import { type QrCodeType, qrCodeImage } from '../../http/qr-code.ts'
import type { Idempotency } from '../../idempotency/once.ts'
import type { NewId } from '../../ids.ts'
import type { ProviderRegistry } from '../../providers/provider.registry.ts'
import type { Reads, Transact } from '../../repositories.ts'
import type { LinkUrl } from '../payment-links/payment-links.view.ts'
import { answeredBy, createOutcomeWriter } from './payments.charge.ts'
import { createPaymentCommands } from './payments.commands.ts'
import { createPaymentWriter } from './payments.create.ts'
import { chargeRequestOf, type NewPayment } from './payments.draft.ts'
import { paymentErrors } from './payments.errors.ts'
import { createExpirePayments } from './payments.expire.ts'
import { createNoticeHandler } from './payments.notices.ts'
import { createReconcilePayments } from './payments.reconcile.ts'
import type { Payment, PaymentKey } from './payments.repository.ts'
import { paymentFilterOf } from './payments.requests.ts'
import type { ListAllPaymentsQuery, ListPaymentsQuery } from './payments.schemas.ts'
import { createSettlePayments } from './payments.settle.ts'
import { type PaymentView, paymentView } from './payments.view.ts'

type Dependencies = {
  read: Pick<Reads, 'payments' | 'settlements' | 'providerReferences' | 'users'>
  transact: Transact
  providers: ProviderRegistry
  clock: Clock
  /** Real time, for leases. */
  wallClock: Clock
  newId: NewId
  linkUrl: LinkUrl
  logger: Pick<FastifyBaseLogger, 'error'>
}

const nameOf = ({ sellerId, id }: PaymentKey): string => `${sellerId}/${id}`

/** Payments from their creation to the money in the seller's book. */
export const createPaymentsService = (dependencies: Dependencies) => {
  const { read, providers } = dependencies
  const createOne = createPaymentWriter(dependencies)
  const writeOutcome = createOutcomeWriter(dependencies)

  const findRow = createLoader<PaymentKey, Payment>({
    nameOf,
    lookUp: async (keys) => new Map((await read.payments.listByKeys(keys)).map((row) => [nameOf(row), row])),
  })

  const getRow = async (sellerId: string, id: string): Promise<Payment> => {
    const row = await findRow({ sellerId, id })
    if (row === undefined) throw paymentErrors.not_found()
    return row
  }

  // The provider is asked while no transaction is open; a crash here leaves a payment for the reconciler.
  const charge = async (payment: Payment, idempotency: Idempotency | undefined): Promise<PaymentView> => {
    const result = await (providers.find(payment.provider) ?? providers.active).createCharge(chargeRequestOf(payment))
    const applied = await writeOutcome({ ...answeredBy(payment, result), idempotency })
    return paymentView(applied?.payment ?? payment)
  }

  const withSellers = async (rows: readonly Payment[]) => {
    const sellers = await read.users.listByIds([...new Set(rows.map(({ sellerId }) => sellerId))])
    const byId = new Map(sellers.map((seller) => [seller.id, seller]))
    return (row: Payment) => {
      const seller = byId.get(row.sellerId)
      return { ...paymentView(row), sellerName: seller?.name ?? '', sellerEmail: seller?.email ?? '' }
    }
  }

  return {
    ...createPaymentCommands({ ...dependencies, getRow, writeOutcome }),

    /** Makes a payment of a seller, who need not be the caller: a payer makes one through a payment link. */
    async create(sellerId: string, input: NewPayment, idempotency: Idempotency | undefined): Promise<PaymentView> {
      const creation = await createOne({ sellerId, input, idempotency })
      return creation.next === 'answer' ? creation.view : charge(creation.payment, idempotency)
    },

    /** A payment as it is stored. */
    find: findRow,

    /** Throws payment.not_found. */
    async get(actor: Actor, id: string): Promise<PaymentView> {
      return paymentView(await getRow(actor.userId, id))
    },

    /** Throws validation.failed for a period or a cursor that cannot be. */
    async list(actor: Actor, query: ListPaymentsQuery) {
      const page = pageRequest(query)
      const found = await read.payments.list({ ...paymentFilterOf(query), sellerId: actor.userId }, page)
      return toListResponse(found, page, paymentView)
    },

    /** Throws payment.not_found and payment.no_qr_code. */
    async qrCode(actor: Actor, id: string, type: QrCodeType): Promise<string | Buffer> {
      const { pixQrCode } = await getRow(actor.userId, id)
      if (pixQrCode === null) throw paymentErrors.no_qr_code()
      return qrCodeImage(pixQrCode, type)
    },

    /** All sellers' payments, for administrators. */
    async listAll(query: ListAllPaymentsQuery) {
      const page = pageRequest(query)
      const found = await read.payments.list(paymentFilterOf(query), page)
      return toListResponse(found, page, await withSellers(found.rows))
    },

    /** Any seller's payment, for administrators. Throws payment.not_found. */
    async getAny(id: string) {
      const row = await read.payments.findAnywhere(id)
      if (row === undefined) throw paymentErrors.not_found()
      return (await withSellers([row]))(row)
    },

    /** Applies what callbacks say about charges. */
    handleNotices: createNoticeHandler(dependencies),

    jobs: {
      expirePayments: createExpirePayments(dependencies),
      settlePayments: createSettlePayments(dependencies),
      reconcilePayments: createReconcilePayments({ ...dependencies, writeOutcome }),
    },
  }
}

export type PaymentsService = ReturnType<typeof createPaymentsService>
