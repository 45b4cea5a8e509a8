import { isIPv6 } from 'node:net'
import ipaddr from 'ipaddr.js'

/**
 * Whether a text is an IP address or a network (CIDR) written in the one way that every reader takes for the same:
 * 010.0.0.1 is 8.0.0.1 to some, and an IPv4 address can hide in an IPv6 one.
 */
export const isAddressOrNetwork = (text: string): boolean => {
  const [address = '', ...bits] = text.split('/')
  const isAddress = ipaddr.IPv4.isValidFourPartDecimal(address) || (isIPv6(address) && !/[.%]/.test(address))
  return isAddress && (bits.length === 0 || ipaddr.isValidCIDR(text))
}

const rangeOf = (text: string): [ipaddr.IPv4 | ipaddr.IPv6, number] => {
  if (text.includes('/')) return ipaddr.parseCIDR(text)
  const address = ipaddr.process(text)
  return [address, address.kind() === 'ipv4' ? 32 : 128]
}

/** Whether an address is in one of the networks, or the list is empty. Knows IPv4 addresses that come as IPv6. */
export const isAddressAllowed = (address: string, networks: readonly string[]): boolean => {
  if (networks.length === 0) return true
  if (!ipaddr.isValid(address)) return false
  const caller = ipaddr.process(address)
  return networks.some((network) => {
    const [range, bits] = rangeOf(network)
    return range.kind() === caller.kind() && caller.match(range, bits)
  })
}
