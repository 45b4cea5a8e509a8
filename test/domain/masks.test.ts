import { expect, test } from 'vitest'
import { maskEmail, maskPersonalText, maskPhone } from '../../src/domain/masks.ts'

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

test.each([
  ['write to maria@example.com, please', 'write to m***@example.com, please'],
  ['<maria@example.com>;joao@example.com', '<m***@example.com>;j***@example.com'],
  ['CPF 529.982.247-25 and 52998224725.', 'CPF ***.982.247-** and ***.982.247-**.'],
  ['CNPJ 12.ABC.345/01DE-35 or 12abc34501de35', 'CNPJ **.ABC.345/****-** or **.ABC.345/****-**'],
  ['call (11) 98765-4321 or +55 11 987654321', 'call (11) *****-4321 or (11) *****-4321'],
  ['at 1133334444', 'at (11) *****-4444'],
])('personal data in a text is masked: %s', (text, masked) => {
  expect(maskPersonalText(text)).toBe(masked)
  expect(maskPersonalText(masked)).toBe(masked)
})

test.each([
  '01939f3e-7c1a-7b1e-9d6a-3f5b8c2d1e00',
  '2026-11-21T13:05:12.481Z',
  'https://hooks.example.com/in',
  '52998224724',
  'R$ 10.000,00 of 1000000000',
  'payments:read',
])('what is no personal data stays: %s', (text) => {
  expect(maskPersonalText(text)).toBe(text)
})
