import type { PublicLinksService } from '../areas/payment-links/public-links.service.ts'
import { createCheckoutService } from '../checkout/checkout.service.ts'
import type { Config } from '../config.ts'
import { createCardFieldsServer } from '../providers/sandbox/card-fields/card-fields.server.ts'
import type { PublicAddress } from '../public-address.ts'
import type { Foundation } from './foundation.ts'

const LOOPBACK = ['127.0.0.1', 'localhost']

// The server of a developer is reached under each of its names.
const originsOf = (address: string): string[] => {
  const { protocol, hostname, port, origin } = new URL(address)
  if (!LOOPBACK.includes(hostname)) return [origin]
  return LOOPBACK.map((name) => `${protocol}//${name}${port === '' ? '' : `:${port}`}`)
}

const besideOf = (address: string, port: number): string => {
  const { protocol, hostname } = new URL(address)
  return `${protocol}//${hostname}:${port}`
}

const composeCardFields = ({ host, sandboxCardFields }: Config, publicAddress: PublicAddress) => {
  const { port, url } = sandboxCardFields
  return createCardFieldsServer({
    host,
    port,
    addressOf: (listensOn) => url ?? besideOf(publicAddress.url(), listensOn),
    mayMove: url === undefined,
    parents: () => originsOf(publicAddress.url()),
  })
}

/** The hosted checkout, and the card fields of the sandbox where that is the provider. */
export const composeCheckout = ({
  config,
  publicAddress,
  ...foundation
}: Foundation & { publicLinks: PublicLinksService }) => {
  const isTest = config.providers.sandbox.isRouted
  const cardFields =
    config.providers.routes.credit_card === 'sandbox' ? composeCardFields(config, publicAddress) : undefined
  const cardFieldsUrl = (language: string) => cardFields?.url(language)
  const checkout = createCheckoutService({ ...foundation, cardFieldsUrl, isTest, legalPages: config.legalPages })
  return { checkout, cardFields }
}
