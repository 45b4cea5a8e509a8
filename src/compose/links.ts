import { createPaymentLinksService } from '../areas/payment-links/payment-links.service.ts'
import { createPaymentWatch } from '../areas/payment-links/payment-watch.ts'
import { createPublicLinksService } from '../areas/payment-links/public-links.service.ts'
import type { PaymentsService } from '../areas/payments/payments.service.ts'
import { createVelocityService } from '../areas/velocity/velocity.service.ts'
import type { ProviderRegistry } from '../providers/provider.registry.ts'
import type { Foundation } from './foundation.ts'

/** Payment links: for sellers, and for whoever pays through them. */
export const composeLinks = (dependencies: Foundation & { providers: ProviderRegistry; payments: PaymentsService }) => {
  const paymentLinks = createPaymentLinksService(dependencies)
  const velocity = createVelocityService(dependencies)
  const paymentWatch = createPaymentWatch(dependencies)
  const publicLinks = createPublicLinksService({
    ...dependencies,
    createPayment: dependencies.payments.create,
    findPayment: dependencies.payments.find,
    cancelPayment: dependencies.payments.cancel,
    paymentWatch,
    velocity,
  })
  return { services: { paymentLinks, publicLinks, velocity }, jobs: paymentLinks.jobs }
}
