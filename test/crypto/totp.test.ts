import { randomBytes } from 'node:crypto'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  findTotpStep,
  hotp,
  newRecoveryCode,
  newTotpSecret,
  otpauthUrl,
  toBase32,
  totpStep,
} from '../../src/crypto/totp.ts'
import { fromBase32 } from '../support/totp.ts'

const RFC_SECRET = Buffer.from('12345678901234567890')

test.each([
  [0, '755224'],
  [1, '287082'],
  [2, '359152'],
  [3, '969429'],
  [4, '338314'],
  [5, '254676'],
  [6, '287922'],
  [7, '162583'],
  [8, '399871'],
  [9, '520489'],
])('the code of counter %i is that of RFC 4226, appendix D', (counter, code) => {
  expect(hotp(RFC_SECRET, counter)).toBe(code)
})

test.each([
  [59, '94287082'],
  [1_111_111_109, '07081804'],
  [1_111_111_111, '14050471'],
  [1_234_567_890, '89005924'],
  [2_000_000_000, '69279037'],
  [20_000_000_000, '65353130'],
])('the code at second %i is that of RFC 6238, appendix B', (seconds, code) => {
  expect(hotp(RFC_SECRET, totpStep(new Date(seconds * 1_000)), 8)).toBe(code)
})

test.each([
  ['', ''],
  ['f', 'MY'],
  ['fo', 'MZXQ'],
  ['foo', 'MZXW6'],
  ['foob', 'MZXW6YQ'],
  ['fooba', 'MZXW6YTB'],
  ['foobar', 'MZXW6YTBOI'],
])('base32 of "%s" is that of RFC 4648, 10, without padding', (text, encoded) => {
  expect(toBase32(Buffer.from(text))).toBe(encoded)
})

test('base32 reads back as what was written', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 40 }), (bytes) => {
      expect([...fromBase32(toBase32(bytes))]).toStrictEqual([...bytes])
    }),
  )
})

test('a code is found among the half minutes that are looked at, and no others', () => {
  const secret = randomBytes(20)
  const now = new Date('2026-11-21T12:00:10.000Z')
  const step = totpStep(now)
  const foundIn = (drift: number) =>
    [-2, -1, 0, 1, 2].map((ahead) =>
      findTotpStep(secret, hotp(secret, step + ahead), { from: step - drift, to: step + drift }),
    )
  expect(foundIn(1)).toStrictEqual([undefined, step - 1, step, step + 1, undefined])
  expect(foundIn(0)).toStrictEqual([undefined, undefined, step, undefined, undefined])
  for (const code of ['', '12345', '1234567', 'abcdef', 'çãoéíú'])
    expect(findTotpStep(secret, code, { from: step - 1, to: step + 1 })).toBeUndefined()
})

test('an app gets what it needs from the address, whatever the account is called', () => {
  const secret = newTotpSecret()
  const url = new URL(otpauthUrl(secret, 'Payment platform', 'maria+a&b:c@example.com'))
  expect([url.protocol, url.host]).toStrictEqual(['otpauth:', 'totp'])
  expect(decodeURIComponent(url.pathname)).toBe('/Payment platform:maria+a&b:c@example.com')
  expect(Object.fromEntries(url.searchParams)).toStrictEqual({
    secret: toBase32(secret),
    issuer: 'Payment platform',
    algorithm: 'SHA1',
    digits: '6',
    period: '30',
  })
  expect(secret).toHaveLength(20)
})

test('recovery codes are twenty-four letters in fours, and no two are the same', () => {
  const codes = Array.from({ length: 200 }, newRecoveryCode)
  for (const code of codes) expect(code).toMatch(/^[A-Z2-7]{4}(-[A-Z2-7]{4}){5}$/)
  expect(new Set(codes).size).toBe(200)
})
