import { Resolver as DnsResolver, lookup } from 'node:dns/promises'

/** All addresses of a name, IPv4 and IPv6. Rejects when the name has none or nobody answers. */
export type Resolver = (hostname: string) => Promise<readonly string[]>

const LOOKUP_TIMEOUT_MS = 2_500
const LOOKUP_TRIES = 2

type DnsOptions = {
  /** `address:port` of the name servers to ask, in place of the system's. */
  servers?: readonly string[]
  /** Of the first try; the second waits longer. */
  timeoutMs?: number
}

const isLocalhost = (hostname: string): boolean => hostname === 'localhost' || hostname.endsWith('.localhost')

/**
 * Asks the name servers directly. The system's `getaddrinfo` waits in libuv's few threads, where a handful of
 * names on silent name servers would hold up every other lookup, file access and password hash of the process.
 */
export const createDnsResolver = ({ servers, timeoutMs = LOOKUP_TIMEOUT_MS }: DnsOptions = {}): Resolver => {
  const dns = new DnsResolver({ timeout: timeoutMs, tries: LOOKUP_TRIES })
  if (servers !== undefined) dns.setServers(servers)
  return async (hostname) => {
    // RFC 6761, section 6.3: these names are loopback, whatever a name server says.
    if (isLocalhost(hostname)) return ['127.0.0.1', '::1']
    const [ipv4, ipv6] = await Promise.allSettled([dns.resolve4(hostname), dns.resolve6(hostname)])
    const addresses = [ipv4, ipv6].flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []))
    if (addresses.length === 0 && ipv4.status === 'rejected') throw ipv4.reason
    return addresses
  }
}

/** Asks the operating system, which also knows the hosts file. For development. */
export const createSystemResolver = (): Resolver => async (hostname) => {
  const answers = await lookup(hostname, { all: true, order: 'verbatim' })
  return answers.map(({ address }) => address)
}
