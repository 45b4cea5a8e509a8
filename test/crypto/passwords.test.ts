import { expect, test } from 'vitest'
import { hashPassword, isCommonPassword, randomPassword, verifyPassword } from '../../src/crypto/passwords.ts'

test('a password is kept as argon2id with the parameters that OWASP names', async () => {
  const hash = await hashPassword('dois cafés')
  expect(hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
  expect(await hashPassword('dois cafés')).not.toBe(hash)
})

test('only the same password verifies', async () => {
  const hash = await hashPassword('dois cafés')
  expect(await verifyPassword(hash, 'dois cafés')).toBe(true)
  expect(await verifyPassword(hash, 'dois cafes')).toBe(false)
  expect(await verifyPassword(hash, 'dois cafés ')).toBe(false)
})

test('an accent typed as its own character is the same password', async () => {
  expect(await verifyPassword(await hashPassword('caf\u00e9 com leite'), 'cafe\u0301 com leite')).toBe(true)
})

test('without a hash nothing verifies, and the hash that stands in has the same cost', async () => {
  expect(await verifyPassword(undefined, 'dois cafés')).toBe(false)
  const timed = async (hash: string | undefined): Promise<number> => {
    const start = process.cpuUsage()
    await verifyPassword(hash, 'dois cafés')
    const { user, system } = process.cpuUsage(start)
    return user + system
  }
  const hash = await hashPassword('dois cafés')
  const spent = { known: 0, unknown: 0 }
  for (let round = 0; round < 5; round += 1) {
    spent.known += await timed(hash)
    spent.unknown += await timed(undefined)
  }
  expect(spent.unknown).toBeGreaterThan(spent.known / 3)
})

test('the commonest passwords are known, whatever their case', () => {
  for (const password of ['password', 'Password', '12345678', 'iloveyou', 'qwertyuiop']) {
    expect(isCommonPassword(password), password).toBe(true)
  }
  expect(isCommonPassword('dois cafés e um pão')).toBe(false)
})

test('the own address is known, whole or up to its @', () => {
  const known = ['maria.silva@example.com']
  expect(isCommonPassword('Maria.Silva@Example.com', known)).toBe(true)
  expect(isCommonPassword('maria.silva', known)).toBe(true)
  expect(isCommonPassword('maria.silva!', known)).toBe(true)
})

test('a password that nobody chose is never the same', () => {
  expect(new Set(Array.from({ length: 100 }, randomPassword)).size).toBe(100)
})
