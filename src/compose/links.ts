import { createPaymentLinksService } from '../areas/payment-links/payment-links.service.ts'
import { createPaymentWatch } from '../areas/payment-links/payment-watch.ts'
import { createPublicLinksService } from '../areas/payment-links/public-links.service.ts'
import type { PaymentsService } from '../areas/payments/payments.service.ts'
import type { Ground } from './ground.ts'

/** Payment links: for sellers, and for whoever pays through them. */
export const composeLinks = (foundations: Ground & { payments: PaymentsService }) => {
  const paymentLinks = createPaymentLinksService(foundations)
  const paymentWatch = createPaymentWatch(foundations)
  const publicLinks = createPublicLinksService({
    ...foundations,
    createPayment: foundations.payments.create,
    findPayment: foundations.payments.find,
    paymentWatch,
  })
  return { services: { paymentLinks, publicLinks }, jobs: paymentLinks.jobs }
}
