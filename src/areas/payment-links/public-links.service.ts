import type { Clock } from '../../clock.ts'
import { createLoader } from '../../db/loader.ts'
import { centavos } from '../../domain/money.ts'
import { requestErrors } from '../../errors.ts'
import type { Idempotency } from '../../idempotency/once.ts'
import type { ProviderRegistry } from '../../providers/provider.registry.ts'
import { type QrCodeType, qrCodeImage } from '../../qr-code.ts'
import type { Reads } from '../../repositories.ts'
import type { LogoUrl } from '../branding/branding.view.ts'
import type { Payee } from '../companies/companies.repository.ts'
import type { NewPayment } from '../payments/payments.create.ts'
import { paymentErrors } from '../payments/payments.errors.ts'
import type { PaymentsService } from '../payments/payments.service.ts'
import { paymentView } from '../payments/payments.view.ts'
import type { VelocityService } from '../velocity/velocity.service.ts'
import { paymentLinkErrors } from './payment-links.errors.ts'
import type { PaymentLink } from './payment-links.queries.ts'
import type { LinkUrl } from './payment-links.view.ts'
import type { PaymentWatch, Watching } from './payment-watch.ts'
import type { PayLinkBody } from './public-links.schemas.ts'
import { type PublicLink, type PublicPayment, publicLinkView, publicPaymentView } from './public-links.view.ts'

/** How long a Pix of a link can be paid: as long as somebody stands before the page, so that a slot is soon free again. */
const PIX_EXPIRY_SECONDS = 3_600

type Dependencies = {
  read: Pick<Reads, 'paymentLinks' | 'companies'>
  providers: Pick<ProviderRegistry, 'routes'>
  createPayment: PaymentsService['create']
  findPayment: PaymentsService['find']
  cancelPayment: PaymentsService['cancel']
  paymentWatch: PaymentWatch
  velocity: Pick<VelocityService, 'guard'>
  clock: Clock
  linkUrl: LinkUrl
  logoUrl: LogoUrl
}

type Customer = PayLinkBody['customer']

const payerOf = (customer: Customer): NewPayment['customer'] =>
  customer === undefined
    ? null
    : {
        name: customer.name,
        document: customer.document ?? null,
        email: customer.email ?? null,
        phone: customer.phone ?? null,
      }

const amountOf = (link: PaymentLink, { amount }: PayLinkBody) => {
  const chosen = amount ?? link.amount
  if (chosen !== null) return centavos(chosen)
  const message = 'is required: the payer chooses it'
  throw requestErrors.failed({ errors: [{ in: 'body', path: 'amount', code: 'required', message }] })
}

const newPaymentOf = (link: PaymentLink, body: PayLinkBody): NewPayment => ({
  method: body.method,
  amount: amountOf(link, body),
  installments: body.installments ?? 1,
  capture: true,
  cardToken: body.cardToken ?? null,
  cardId: null,
  expiresInSeconds: body.method === 'pix' ? PIX_EXPIRY_SECONDS : null,
  dueDate: null,
  dueTerms: null,
  customerId: null,
  customer: payerOf(body.customer),
  description: link.title,
  externalReference: link.externalReference,
  paymentLinkId: link.id,
  metadata: link.metadata,
})

/** Payment links as payers, whom nobody knows, see and use them. */
export const createPublicLinksService = ({
  read,
  providers,
  createPayment,
  findPayment,
  cancelPayment,
  paymentWatch,
  velocity,
  clock,
  linkUrl,
  logoUrl,
}: Dependencies) => {
  // Payers of a link that sells well come together.
  const findLink = createLoader<string, PaymentLink>({
    nameOf: (hash) => hash,
    lookUp: async (hashes) => new Map((await read.paymentLinks.listByHashes(hashes)).map((link) => [link.hash, link])),
  })

  const getLink = async (hash: string): Promise<PaymentLink> => {
    const link = await findLink(hash)
    if (link === undefined) throw paymentLinkErrors.not_found()
    return link
  }

  // A payment of another link, or of none, is as good as missing.
  const getOwn = async (hash: string, id: string) => {
    const link = await getLink(hash)
    const payment = await findPayment({ sellerId: link.sellerId, id })
    if (payment?.paymentLinkId !== link.id) throw paymentErrors.not_found()
    return { link, payment }
  }

  /** The link in whatever state it is, `deleted` too; undefined: no link has this hash. */
  const find = async (hash: string): Promise<PublicLink | undefined> => {
    const offered = await read.paymentLinks.findOffered(hash)
    if (offered === undefined) return undefined
    // What nobody serves is not shown: it would only be refused.
    const methods = offered.link.methods.filter((method) => providers.routes[method] !== undefined)
    return publicLinkView({ ...offered, link: { ...offered.link, methods } }, { linkUrl, logoUrl }, clock.now())
  }

  /** Throws payment_link.not_found and payment_link.deleted. */
  const get = async (hash: string): Promise<PublicLink> => {
    const view = await find(hash)
    if (view === undefined) throw paymentLinkErrors.not_found()
    if (view.status === 'deleted') throw paymentLinkErrors.deleted()
    return view
  }

  return {
    find,
    get,

    /**
     * Begins a payment through a link. What the link takes is judged in the transaction that makes the payment. Throws
     * validation.failed, fee.not_configured, velocity.exceeded and every refusal of `payment_link`.
     */
    async pay(hash: string, body: PayLinkBody, network: string, idempotency?: Idempotency): Promise<PublicPayment> {
      const link = await getLink(hash)
      const charge = () => createPayment(link.sellerId, newPaymentOf(link, body), idempotency)
      const { method, cardToken } = body
      const attempted = { link: link.id, card: cardToken ?? '', address: network }
      const isDeclined = ({ status }: { status: string }) => status === 'failed'
      const charging = { idempotency, charge, isDeclined }
      const payment = method === 'credit_card' ? await velocity.guard(attempted, charging) : await charge()
      return publicPaymentView(payment, link.successUrl)
    },

    /** Who receives what is paid through a link, for receipts. Throws payment_link.not_found. */
    async findPayee(hash: string): Promise<Payee | undefined> {
      const { sellerId } = await getLink(hash)
      return read.companies.findPayee(sellerId)
    },

    /**
     * Ends a payment that its payer does not want any more, so that nobody can pay it beside another one. Throws
     * payment_link.not_found, payment.not_found, payment.not_cancelable where it was paid or has ended meanwhile, and
     * payment.provider_unavailable where nobody knows.
     */
    async cancelPayment(hash: string, id: string): Promise<void> {
      const { link } = await getOwn(hash, id)
      await cancelPayment({ sellerId: link.sellerId }, id)
    },

    /** Throws payment_link.not_found and payment.not_found. Also where the link has ended: the payment has not. */
    async getPayment(hash: string, id: string): Promise<PublicPayment> {
      const { link, payment } = await getOwn(hash, id)
      return publicPaymentView(paymentView(payment), link.successUrl)
    },

    /**
     * A payment from now on, until it is final. Throws payment_link.not_found, payment.not_found and, where too many
     * watch, server.too_many_requests or server.unavailable.
     */
    async watchPayment(hash: string, id: string, address: string): Promise<Watching<PublicPayment>> {
      const { link, payment } = await getOwn(hash, id)
      return paymentWatch.watch(payment, {
        address,
        view: (row) => publicPaymentView(paymentView(row), link.successUrl),
      })
    },

    /** The address of the link's page as an image. Throws payment_link.not_found and payment_link.deleted. */
    async qrCode(hash: string, type: QrCodeType): Promise<string | Buffer> {
      const { url } = await get(hash)
      return qrCodeImage(url, type)
    },

    /** Ends all streams, so that the process can close. */
    closeStreams: (): void => paymentWatch.close(),
  }
}

export type PublicLinksService = ReturnType<typeof createPublicLinksService>
