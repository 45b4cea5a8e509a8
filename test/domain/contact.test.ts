import { getAreaCodeInfo, getStates } from '@brazilian-utils/brazilian-utils'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  isPhone,
  isPixKey,
  isZipCode,
  normalizePixKey,
  PIX_KEY_TYPES,
  type PixKeyType,
  STATES,
  stripPhone,
  stripZipCode,
} from '../../src/domain/contact.ts'

test('the states are the 27 that there are', () => {
  const theirs = getStates().map(({ code }) => code)
  expect([...STATES].sort()).toEqual(theirs.sort())
  expect(new Set(STATES).size).toBe(27)
})

test('exactly the existing area codes are accepted', () => {
  for (let areaCode = 0; areaCode < 100; areaCode += 1) {
    const text = String(areaCode).padStart(2, '0')
    const exists = areaCode > 10 && getAreaCodeInfo(text) !== null
    expect([text, isPhone(`${text}987654321`)]).toEqual([text, exists])
    expect([text, isPhone(`${text}32654321`)]).toEqual([text, exists])
  }
})

test.each([['11987654321'], ['1132654321'], ['1152654321'], ['55991234567'], ['6832123456']])(
  '%s is a phone',
  (phone) => {
    expect(isPhone(phone)).toBe(true)
  },
)

test.each([
  ['10987654321'],
  ['20987654321'],
  ['11887654321'],
  ['1192654321'],
  ['1112654321'],
  ['119876543210'],
  ['987654321'],
  ['+5511987654321'],
  ['(11) 98765-4321'],
  ['1198765432a'],
  [''],
])('%s is no phone', (phone) => {
  expect(isPhone(phone)).toBe(false)
})

test.each([
  ['+55 (11) 98765-4321', '11987654321'],
  ['+5511987654321', '11987654321'],
  ['5511987654321', '11987654321'],
  ['551132654321', '1132654321'],
  ['(55) 99123-4567', '55991234567'],
  ['5532123456', '5532123456'],
  ['11.98765.4321', '11987654321'],
])('%s is stored as %s', (typed, stored) => {
  expect(stripPhone(typed)).toBe(stored)
  expect(isPhone(stored)).toBe(true)
})

test('of another country nothing is made Brazilian', () => {
  expect(isPhone(stripPhone('+1 212 555 0100'))).toBe(false)
  expect(isPhone(stripPhone('+351 912 345 678'))).toBe(false)
})

test('a CEP is eight digits, not all zero', () => {
  expect(isZipCode('01310100')).toBe(true)
  expect(isZipCode(stripZipCode('01310-100'))).toBe(true)
  expect(isZipCode(stripZipCode(' 01.310-100 '))).toBe(true)
  for (const text of ['00000000', '0131010', '013101000', '01310-100', '0131010a', ''])
    expect(isZipCode(text)).toBe(false)
})

const VALID: readonly (readonly [PixKeyType, string, string])[] = [
  ['cpf', '529.982.247-25', '52998224725'],
  ['cnpj', '12.abc.345/01de-35', '12ABC34501DE35'],
  ['cnpj', '11.222.333/0001-81', '11222333000181'],
  ['email', ' Fulano.De-Tal@Example.COM ', 'fulano.de-tal@example.com'],
  ['email', `${'a'.repeat(65)}@example.com`, `${'a'.repeat(65)}@example.com`],
  ['phone', '(11) 98765-4321', '+5511987654321'],
  ['phone', '+55 11 98765-4321', '+5511987654321'],
  ['phone', '5511987654321', '+5511987654321'],
  ['evp', '123E4567-E12B-12D1-A456-426655440000', '123e4567-e12b-12d1-a456-426655440000'],
]

test.each(VALID)('the %s key %s is kept as %s', (type, typed, stored) => {
  expect(normalizePixKey(type, typed)).toBe(stored)
  expect(isPixKey(type, stored)).toBe(true)
})

const INVALID: readonly (readonly [PixKeyType, string])[] = [
  ['cpf', '52998224724'],
  ['cpf', '11111111111'],
  ['cpf', '11987654321'],
  ['cnpj', '12ABC34501DE36'],
  ['cnpj', '52998224725'],
  ['email', 'fulano'],
  ['email', 'fulano@example'],
  ['email', 'fulano@@example.com'],
  ['email', 'fula no@example.com'],
  ['email', 'fulano@-example.com'],
  ['email', 'josé@example.com'],
  ['email', `${'a'.repeat(66)}@example.com`],
  // Landlines are no keys, and area codes must exist.
  ['phone', '1132654321'],
  ['phone', '20987654321'],
  ['phone', '+1 212 555 0100'],
  ['phone', ''],
  ['evp', '123e4567e12b12d1a456426655440000'],
  ['evp', '123e4567-e12b-12d1-a456-42665544000g'],
]

test.each(INVALID)('%s refuses %s', (type, typed) => {
  expect(isPixKey(type, normalizePixKey(type, typed))).toBe(false)
})

test('only normalised keys pass', () => {
  expect(isPixKey('email', 'Fulano@example.com')).toBe(false)
  expect(isPixKey('phone', '11987654321')).toBe(false)
  expect(isPixKey('evp', '123E4567-E12B-12D1-A456-426655440000')).toBe(false)
  expect(isPixKey('cpf', '529.982.247-25')).toBe(false)
})

test('normalising twice changes nothing where the key is valid', () => {
  const types = fc.constantFrom(...PIX_KEY_TYPES)
  const keys = fc.oneof(fc.uuid(), fc.emailAddress(), fc.stringMatching(/^[1-9]{2}9\d{8}$/))
  fc.assert(
    fc.property(types, keys, (type, key) => {
      const once = normalizePixKey(type, key)
      if (isPixKey(type, once)) expect(normalizePixKey(type, once)).toBe(once)
    }),
  )
  fc.assert(
    fc.property(fc.uuid(), (key) => {
      expect(isPixKey('evp', normalizePixKey('evp', key))).toBe(true)
    }),
  )
})
