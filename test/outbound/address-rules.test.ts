import { expect, test } from 'vitest'
import { createAddressRules } from '../../src/outbound/address-rules.ts'

const production = createAddressRules({ allowedNetworks: [] })

test.each([
  ['0.0.0.0', 'this network'],
  ['0.1.2.3', 'this network'],
  ['10.0.0.1', 'private'],
  ['10.255.255.255', 'private'],
  ['100.64.0.1', 'carrier-grade NAT'],
  ['100.100.100.200', 'carrier-grade NAT, metadata of one cloud'],
  ['100.127.255.255', 'carrier-grade NAT'],
  ['127.0.0.1', 'loopback'],
  ['127.255.255.254', 'loopback'],
  ['168.63.129.16', 'the platform channel of one cloud'],
  ['169.254.0.1', 'link-local'],
  ['169.254.169.254', 'metadata'],
  ['172.16.0.1', 'private'],
  ['172.31.255.255', 'private'],
  ['192.0.0.1', 'protocol assignments'],
  ['192.0.0.192', 'protocol assignments, metadata of one cloud'],
  ['192.0.2.1', 'documentation'],
  ['192.31.196.1', 'AS112'],
  ['192.52.193.1', 'AMT'],
  ['192.88.99.1', '6to4 relay'],
  ['192.168.0.1', 'private'],
  ['192.175.48.1', 'AS112'],
  ['198.18.0.1', 'benchmarking'],
  ['198.19.255.255', 'benchmarking'],
  ['198.51.100.1', 'documentation'],
  ['203.0.113.1', 'documentation'],
  ['224.0.0.1', 'multicast'],
  ['239.255.255.255', 'multicast'],
  ['240.0.0.1', 'reserved'],
  ['255.255.255.255', 'broadcast'],
  ['::', 'unspecified'],
  ['::1', 'loopback'],
  ['::127.0.0.1', 'IPv4-compatible'],
  ['::ffff:127.0.0.1', 'IPv4-mapped loopback'],
  ['::ffff:a9fe:a9fe', 'IPv4-mapped metadata'],
  ['::ffff:0:127.0.0.1', 'IPv4-translated'],
  ['64:ff9b::7f00:1', 'NAT64'],
  ['64:ff9b:1::1', 'local NAT64'],
  ['100::1', 'discard'],
  ['100:0:0:1::1', 'dummy prefix'],
  ['2001::1', 'Teredo'],
  ['2001:2::1', 'benchmarking'],
  ['2001:10::1', 'ORCHID'],
  ['2001:20::1', 'ORCHIDv2'],
  ['2001:db8::1', 'documentation'],
  ['2002:7f00:1::1', '6to4'],
  ['3fff::1', 'documentation'],
  ['4000::1', 'not given out'],
  ['5f00::1', 'segment routing'],
  ['fc00::1', 'unique local'],
  ['fd00:ec2::254', 'unique local, metadata of one cloud'],
  ['fe80::1', 'link-local'],
  ['fe80::1%eth0', 'link-local with a zone'],
  ['fec0::1', 'site-local'],
  ['ff02::1', 'multicast'],
])('%s (%s) is closed', (address) => {
  expect(production.allows(address)).toBe(false)
})

test.each([
  '1.1.1.1',
  '8.8.8.8',
  '100.63.255.255',
  '100.128.0.1',
  '172.15.255.255',
  '172.32.0.1',
  '168.63.129.17',
  '::ffff:8.8.8.8',
  '2606:4700:4700::1111',
  '2800:3f0::1',
])('%s is open', (address) => {
  expect(production.allows(address)).toBe(true)
})

test.each(['', 'localhost', '1.2.3', 'g::1', '1.2.3.4/8', '1.2.3.4.5'])(
  '%j, which is no address, is closed',
  (text) => {
    expect(production.allows(text)).toBe(false)
  },
)

test('an allowed network opens itself and nothing beside it', () => {
  const development = createAddressRules({ allowedNetworks: ['127.0.0.1/32', '::1/128'] })
  expect(['127.0.0.1', '::ffff:127.0.0.1', '::1'].map(development.allows)).toEqual([true, true, true])
  expect(['127.0.0.2', '169.254.169.254', '::2'].map(development.allows)).toEqual([false, false, false])
})

test('a denied network closes public addresses', () => {
  const rules = createAddressRules({ allowedNetworks: [], deniedNetworks: ['8.8.8.0/24', '2606:4700::/32'] })
  expect(['8.8.8.8', '::ffff:8.8.8.8', '2606:4700::1'].map(rules.allows)).toEqual([false, false, false])
  expect(rules.allows('8.8.4.4')).toBe(true)
})

test('a network that is no CIDR stops the start', () => {
  expect(() => createAddressRules({ allowedNetworks: ['10.0.0.0'] })).toThrow()
})
