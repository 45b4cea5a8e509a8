import type { FastifyBaseLogger } from 'fastify'
import type { Clock } from '../../clock.ts'
import type { SecretBox } from '../../crypto/secret-box.ts'
import type { HeldBooks } from '../../db/held-books.ts'
import { createLoader } from '../../db/loader.ts'
import type { Actor } from '../../domain/actor.ts'
import type { Idempotency } from '../../idempotency/once.ts'
import type { NewId } from '../../ids.ts'
import type { ChargeResult, Seller } from '../../providers/provider.port.ts'
import type { ProviderRegistry } from '../../providers/provider.registry.ts'
import { type QrCodeType, qrCodeImage } from '../../qr-code.ts'
import type { Reads, Transact } from '../../repositories.ts'
import { currentTrace } from '../../tracing.ts'
import type { LinkUrl } from '../payment-links/payment-links.view.ts'
import type { KnownCosts } from '../provider-costs/known-costs.ts'
import { createPaymentCommands } from './payments.capture.ts'
import { isToBeAskedAgain, newsOf } from './payments.charge.ts'
import { createNewsWriter } from './payments.confirm.batch.ts'
import { createPaymentWriter } from './payments.create.batch.ts'
import type { NewBoletoUrl, NewPayment } from './payments.create.ts'
import { paymentErrors, providerAway } from './payments.errors.ts'
import { createExpirePayments } from './payments.expire.ts'
import { createPaymentLists } from './payments.lists.ts'
import { createNotificationHandler } from './payments.notifications.ts'
import { createReconcilePayments } from './payments.reconcile.ts'
import type { Payment, PaymentKey } from './payments.repository.ts'
import { createWholeChargeRequest } from './payments.saved-cards.ts'
import { createSettlePayments } from './payments.settle.ts'
import { type PaymentView, paymentView, type SettledPaymentView } from './payments.view.ts'

type Dependencies = {
  read: Pick<Reads, 'payments' | 'paymentTerms' | 'savedCards' | 'settlements' | 'providerReferences' | 'users'>
  secretBox: Pick<SecretBox, 'open'>
  transact: Transact
  providers: ProviderRegistry
  clock: Clock
  /** Real time, for leases. */
  wallClock: Clock
  newId: NewId
  linkUrl: LinkUrl
  newBoletoUrl: NewBoletoUrl
  heldBooks: HeldBooks
  knownCosts: KnownCosts
  logger: Pick<FastifyBaseLogger, 'error'>
}

const nameOf = ({ sellerId, id }: PaymentKey): string => `${sellerId}/${id}`

/** Payments from their creation to the money in the seller's book. */
export const createPaymentsService = (dependencies: Dependencies) => {
  const { read, transact, providers, wallClock } = dependencies
  const createOne = createPaymentWriter(dependencies)
  const writeNews = createNewsWriter(dependencies)
  const wholeRequestOf = createWholeChargeRequest(dependencies)

  const findRow = createLoader<PaymentKey, Payment>({
    nameOf,
    lookUp: async (keys) => new Map((await read.payments.listByKeys(keys)).map((row) => [nameOf(row), row])),
  })

  const getRow = async (sellerId: string, id: string): Promise<Payment> => {
    const row = await findRow({ sellerId, id })
    if (row === undefined) throw paymentErrors.not_found()
    return row
  }

  // A repeat of the request then goes on with the payment that is there.
  const comeAgain = async (result: ChargeResult, idempotency: Idempotency | undefined): Promise<Error> => {
    if (idempotency) await transact((tx) => tx.idempotency.updateLease(idempotency, wallClock.now()))
    return providerAway(result.outcome === 'unavailable' ? result.retryAfterMs : null)
  }

  // The provider is asked while no transaction is open; a crash here leaves a payment for the reconciler.
  const charge = async (
    payment: Payment,
    seller: Seller | undefined,
    idempotency: Idempotency | undefined,
  ): Promise<PaymentView> => {
    const charges = providers.find(payment.provider)?.charges
    if (charges === undefined) throw providerAway(null)
    const result = await charges.create(await wholeRequestOf(payment, seller))
    if (isToBeAskedAgain(payment, result)) throw await comeAgain(result, idempotency)
    const confirmed = await writeNews({ payment, ...newsOf(result), idempotency })
    return paymentView(confirmed?.payment ?? payment)
  }

  const { withParts, withSellers, ...lists } = createPaymentLists(dependencies)

  return {
    ...createPaymentCommands({ ...dependencies, getRow, writeNews }),
    ...lists,

    /** Makes a payment of a seller, who need not be the caller: a payer makes one through a payment link. */
    async create(sellerId: string, input: NewPayment, idempotency: Idempotency | undefined): Promise<PaymentView> {
      const creation = await createOne({ sellerId, input, idempotency, trace: currentTrace() })
      return creation.next === 'answer' ? creation.view : charge(creation.payment, creation.seller, idempotency)
    },

    /** A payment as it is stored. */
    find: findRow,

    /** Throws payment.not_found. */
    async get(actor: Actor, id: string): Promise<SettledPaymentView> {
      const row = await getRow(actor.sellerId, id)
      return (await withParts([row]))(row)
    },

    /** Throws payment.not_found and payment.no_qr_code. */
    async qrCode(actor: Actor, id: string, type: QrCodeType): Promise<string | Buffer> {
      const { pixQrCode } = await getRow(actor.sellerId, id)
      if (pixQrCode === null) throw paymentErrors.no_qr_code()
      return qrCodeImage(pixQrCode, type)
    },

    /** Any seller's payment, for administrators. Throws payment.not_found. */
    async getAny(id: string) {
      const row = await read.payments.findAnywhere(id)
      if (row === undefined) throw paymentErrors.not_found()
      return (await withSellers([row]))(row)
    },

    /** Applies what callbacks say about charges. */
    handleNotifications: createNotificationHandler(dependencies),

    jobs: {
      expirePayments: createExpirePayments({ ...dependencies, writeNews }),
      settlePayments: createSettlePayments(dependencies),
      reconcilePayments: createReconcilePayments({ ...dependencies, wholeRequestOf, writeNews }),
    },
  }
}

export type PaymentsService = ReturnType<typeof createPaymentsService>
