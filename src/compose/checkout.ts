import type { PublicLinksService } from '../areas/payment-links/public-links.service.ts'
import { createCheckoutService } from '../checkout/checkout.service.ts'
import type { Language } from '../domain/language.ts'
import type { ProviderRegistry } from '../providers/provider.registry.ts'
import type { Foundation } from './foundation.ts'

/** The hosted checkout, and where shops find the fields of the provider that serves cards. */
export const composeCheckout = ({
  config,
  providers,
  ...foundation
}: Foundation & { providers: ProviderRegistry; publicLinks: PublicLinksService }) => {
  const isTest = config.providers.sandbox.isRouted
  const fields = providers.routes.credit_card?.cardFields
  const cardFieldsUrl = (language: Language) => fields?.url(language, 'checkout')
  const shopFieldsUrl = (language: Language) => fields?.url(language, 'shop')
  const checkout = createCheckoutService({ ...foundation, cardFieldsUrl, isTest, legalPages: config.legalPages })
  return { checkout, shopFieldsUrl }
}
