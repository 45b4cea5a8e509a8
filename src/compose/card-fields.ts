import type { Config } from '../config.ts'
import { createCardFieldsServer } from '../providers/sandbox/card-fields/card-fields.server.ts'
import type { PublicAddress } from '../public-address.ts'

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

/** The card fields of the sandbox, where that serves cards. */
export const composeCardFields = ({ host, sandboxCardFields, providers }: Config, publicAddress: PublicAddress) => {
  if (providers.routes.credit_card !== 'sandbox') return undefined
  const { port, url } = sandboxCardFields
  return createCardFieldsServer({
    host,
    port,
    addressOf: (listensOn) => url ?? besideOf(publicAddress.url(), listensOn),
    mayMove: url === undefined,
    parents: () => originsOf(publicAddress.url()),
  })
}
