import { expect, test } from 'vitest'
import { isAddressAllowed, isAddressOrNetwork } from '../src/address-list.ts'

test('addresses and networks of both families are understood', () => {
  for (const text of [
    '203.0.113.7',
    '0.0.0.0/0',
    '10.0.0.0/8',
    '203.0.113.7/32',
    '2001:db8::1',
    '::/0',
    '2001:db8::/32',
  ]) {
    expect(isAddressOrNetwork(text), text).toBe(true)
  }
})

test('nothing that somebody could read in another way is', () => {
  const ambiguous = [
    '',
    '/',
    '10',
    '127.1',
    '010.0.0.1',
    '0x7f.0.0.1',
    '1.2.3.4.5',
    '256.0.0.1',
    '::ffff:1.2.3.4',
    'fe80::1%eth0',
  ]
  const networks = [
    '10.0.0.0/33',
    '10.0.0.0/-1',
    '10.0.0.0/',
    '10.0.0.0/8/8',
    '127.1/8',
    '2001:db8::/129',
    'example.com/8',
  ]
  for (const text of [...ambiguous, ...networks]) expect(isAddressOrNetwork(text), text).toBe(false)
})

test('an empty list allows every address', () => {
  expect(isAddressAllowed('198.51.100.1', [])).toBe(true)
})

test('an address is allowed inside a network, to its first and last one', () => {
  for (const address of ['203.0.113.0', '203.0.113.255', '::ffff:203.0.113.9', '2001:db8:1:ffff::1']) {
    expect(isAddressAllowed(address, ['203.0.113.0/24', '2001:db8:1::/48']), address).toBe(true)
  }
  for (const address of ['203.0.112.255', '203.0.114.0', '2001:db8:2::1', '::1', 'unknown', '']) {
    expect(isAddressAllowed(address, ['203.0.113.0/24', '2001:db8:1::/48']), address).toBe(false)
  }
})

test('a network of one family holds no address of the other', () => {
  expect(isAddressAllowed('2001:db8::1', ['0.0.0.0/0'])).toBe(false)
  expect(isAddressAllowed('203.0.113.7', ['::/0'])).toBe(false)
})
