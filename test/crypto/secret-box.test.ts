import { randomBytes } from 'node:crypto'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createSecretBox, SecretBoxError } from '../../src/crypto/secret-box.ts'

const key = randomBytes(32)
const box = createSecretBox(key)

test('what was sealed opens unchanged, also in another box of the same key', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), (plain) => {
      expect(createSecretBox(key).open(box.seal(plain))).toBe(plain)
    }),
  )
})

test('two seals of one secret have nothing in common but the version', () => {
  const [first, second] = [box.seal('whsec_secret'), box.seal('whsec_secret')]
  expect(first).toMatch(/^v1\.[A-Za-z0-9_-]+$/)
  expect(first.slice(3, 19)).not.toBe(second.slice(3, 19))
  expect(first.slice(19)).not.toBe(second.slice(19))
})

test('the sealed text does not hold the secret', () => {
  const sealed = box.seal('whsec_secret')
  expect(Buffer.from(sealed.slice(3), 'base64url').includes('secret')).toBe(false)
})

test('another key does not open it', () => {
  expect(() => createSecretBox(randomBytes(32)).open(box.seal('whsec_secret'))).toThrow(SecretBoxError)
})

test('a change of any single bit is noticed', () => {
  const bytes = Buffer.from(box.seal('whsec_secret').slice(3), 'base64url')
  for (let bit = 0; bit < bytes.length * 8; bit += 1) {
    const damaged = Buffer.from(bytes)
    damaged.writeUInt8(damaged.readUInt8(bit >> 3) ^ (1 << (bit & 7)), bit >> 3)
    expect(() => box.open(`v1.${damaged.toString('base64url')}`)).toThrow(SecretBoxError)
  }
})

test.each(['', 'v1', 'v1.', 'v1.AAAA', 'whsec_plain', `v2.${'A'.repeat(60)}`, `v1.${'A'.repeat(60)}.A`])(
  '%j is not opened',
  (sealed) => {
    expect(() => box.open(sealed)).toThrow(SecretBoxError)
  },
)

test('another version is not opened, whatever follows it', () => {
  const sealed = box.seal('whsec_secret')
  expect(() => box.open(sealed.replace('v1.', 'v2.'))).toThrow(SecretBoxError)
  expect(() => box.open(sealed.replace('v1.', '.'))).toThrow(SecretBoxError)
})

test('an error says nothing of the secret', () => {
  const sealed = box.seal('whsec_secret')
  const open = () => createSecretBox(randomBytes(32)).open(sealed)
  expect(open).toThrow(expect.objectContaining({ message: expect.not.stringContaining(sealed.slice(3)) }))
})

test('a key shorter than 32 bytes is refused at the start', () => {
  expect(() => createSecretBox(randomBytes(31))).toThrow(RangeError)
})

test('a box of several keys opens what each sealed, seals under the first, and tells which is the first', () => {
  const rotated = createSecretBox(randomBytes(32), [randomBytes(32), key])
  const old = box.seal('whsec_secret')
  expect(rotated.open(old)).toBe('whsec_secret')
  expect(rotated.isNewest(old)).toBe(false)
  const resealed = rotated.seal('whsec_secret')
  expect(rotated.isNewest(resealed)).toBe(true)
  expect(() => box.open(resealed)).toThrow(SecretBoxError)
  expect(rotated.isNewest('damaged')).toBe(false)
})
