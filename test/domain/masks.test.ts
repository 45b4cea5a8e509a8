import { expect, test } from 'vitest'
import { maskEmail, maskPhone } from '../../src/domain/masks.ts'

test.each([
  ['maria@example.com', 'm***@example.com'],
  ['m@example.com', 'm***@example.com'],
  ['"a@b"@example.com', '"***@example.com'],
  ['@example.com', '***'],
  ['nonsense', '***'],
])('%s is shown as %s', (email, masked) => {
  expect(maskEmail(email)).toBe(masked)
})

test.each([
  ['11987654321', '(11) *****-4321'],
  ['1133334444', '(11) *****-4444'],
])('%s is shown as %s', (phone, masked) => {
  expect(maskPhone(phone)).toBe(masked)
})
