import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'

export type AddressOptions = {
  /** CIDRs that are open although they are not public: loopback in development, nothing in production. */
  allowedNetworks: readonly string[]
  /** CIDRs that stay closed whatever else is open: our own public addresses and load balancers. */
  deniedNetworks?: readonly string[]
}

export type AddressRules = {
  /** Whether we may open a connection to this address. Text that is not an IP address is refused. */
  allows(address: string): boolean
}

type Address = ipaddr.IPv4 | ipaddr.IPv6
type Network = [Address, number]

/** Azure's platform channel answers on every virtual machine there, at an address that looks public. */
const ALWAYS_DENIED = ['168.63.129.16/32']

/** All of IPv6 that IANA has given out for the public network lies in here. */
const GLOBAL_UNICAST = ipaddr.IPv6.parseCIDR('2000::/3')

const isWithin = (address: Address, networks: readonly Network[]): boolean =>
  networks.some((network) => network[0].kind() === address.kind() && address.match(network))

const isPublic = (address: Address): boolean => {
  if (address.range() !== 'unicast') return false
  return address instanceof ipaddr.IPv4 || address.match(GLOBAL_UNICAST)
}

/**
 * Rules that refuse by default: only addresses that are known to be public pass, never "all but a list of bad ones".
 * IPv4-mapped IPv6 addresses are judged as the IPv4 address that they carry.
 * @throws {Error} when a network is not a CIDR
 */
export const createAddressRules = ({ allowedNetworks, deniedNetworks = [] }: AddressOptions): AddressRules => {
  const allowed = allowedNetworks.map((network) => ipaddr.parseCIDR(network))
  const denied = [...ALWAYS_DENIED, ...deniedNetworks].map((network) => ipaddr.parseCIDR(network))
  return {
    allows: (text) => {
      if (isIP(text) === 0) return false
      const address = ipaddr.process(text)
      return !isWithin(address, denied) && (isPublic(address) || isWithin(address, allowed))
    },
  }
}
