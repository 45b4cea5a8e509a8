import { isIP, type LookupFunction } from 'node:net'
import type { buildConnector } from 'undici'
import { undici } from '../packages-on-demand.ts'
import type { AddressRules } from './address-rules.ts'
import { BlockedAddressError, NameLookupError } from './failures.ts'
import type { Resolver } from './resolver.ts'

type Dependencies = {
  addresses: AddressRules
  resolver: Resolver
  connectTimeoutMs: number
  /** PEM certificates to trust in place of the well-known authorities. */
  trustedCertificates: readonly string[] | undefined
}

/** More sessions than hosts that are usually called: resuming one saves most of a handshake's work. */
const TLS_SESSIONS_MAX = 1_000

const resolveAllowed = async (hostname: string, { addresses, resolver }: Dependencies): Promise<readonly string[]> => {
  const answers = await resolver(hostname).catch((cause) => {
    throw new NameLookupError('the name does not resolve', { cause })
  })
  if (answers.length === 0) throw new NameLookupError('the name has no address')
  // One bad address condemns the name: taking the good ones would let a mixed answer probe which of them answer.
  if (!answers.every(addresses.allows)) throw new BlockedAddressError('the name leads to a blocked address')
  return answers
}

/** Node connects to exactly the addresses that this hands back, so nothing is resolved a second time. */
const createLookup =
  (dependencies: Dependencies): LookupFunction =>
  (hostname, options, callback) => {
    resolveAllowed(hostname, dependencies).then(
      (answers) => {
        const entries = answers.map((address) => ({ address, family: isIP(address) }))
        const [first] = entries
        if (options.all || first === undefined) callback(null, entries)
        else callback(null, first.address, first.family)
      },
      (error) => callback(error, []),
    )
  }

/**
 * Opens connections to allowed addresses only. Three checks, each for what the others cannot see: the literal address
 * (Node looks up names only), all answers of the lookup, and the address that the socket really reached.
 */
export const createSafeConnector = (dependencies: Dependencies): buildConnector.connector => {
  const { addresses, connectTimeoutMs, trustedCertificates } = dependencies
  const build = () =>
    undici().buildConnector({
      allowH2: false,
      autoSelectFamily: true,
      lookup: createLookup(dependencies),
      maxCachedSessions: TLS_SESSIONS_MAX,
      minVersion: 'TLSv1.2',
      // Said aloud, so that NODE_TLS_REJECT_UNAUTHORIZED in the environment cannot turn it off.
      rejectUnauthorized: true,
      timeout: connectTimeoutMs,
      ...(trustedCertificates && { ca: [...trustedCertificates] }),
    })
  let connect: buildConnector.connector | undefined
  return (options, callback) => {
    if (isIP(options.hostname) !== 0 && !addresses.allows(options.hostname)) {
      callback(new BlockedAddressError('the address is blocked'), null)
      return
    }
    connect ??= build()
    connect(options, (...[error, socket]) => {
      if (error !== null) {
        callback(error, null)
      } else if (addresses.allows(socket.remoteAddress ?? '')) {
        callback(null, socket)
      } else {
        socket.destroy()
        callback(new BlockedAddressError('the socket reached a blocked address'), null)
      }
    })
  }
}
