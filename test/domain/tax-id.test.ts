import { generateCnpj, generateCpf, isValidCnpj, isValidCpf } from '@brazilian-utils/brazilian-utils'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { isCnpj, isCpf, maskCnpj, maskCpf, maskTaxId, stripTaxId } from '../../src/domain/tax-id.ts'

test.each([['52998224725'], ['11144477735'], ['12345678909'], ['40569499801'], ['00000000191']])(
  '%s is a CPF',
  (cpf) => {
    expect(isCpf(cpf)).toBe(true)
  },
)

test.each([
  ['52998224724'],
  ['06199667123'],
  ['11111111111'],
  ['00000000000'],
  ['5299822472'],
  ['529982247250'],
  ['529.982.247-25'],
  ['52998224725 '],
  ['5299822472a'],
  ['٥٢٩٩٨٢٢٤٧٢٥'],
  [''],
])('%s is no CPF', (cpf) => {
  expect(isCpf(cpf)).toBe(false)
})

test.each([
  ['12ABC34501DE35'],
  ['1345C3A5000106'],
  ['R55231B3000757'],
  ['90021382000122'],
  ['90024778000123'],
  ['90025108000121'],
  ['90025255000100'],
  ['90024420000109'],
  ['ALR0K4K9000168'],
  ['ALR0K4K9VYY041'],
  ['32AYMRED000108'],
  ['S8T45HLW000195'],
  ['S8T45HLWJ0ZT28'],
  ['0RAT1HV8000159'],
  ['PYJKXABJ000178'],
  ['DAHWQ8TYP4PL23'],
  ['12345678000195'],
  ['11222333000181'],
  ['00000000000191'],
  ['A1B2C3D41A2B62'],
])('%s is a CNPJ', (cnpj) => {
  expect(isCnpj(cnpj)).toBe(true)
})

test.each([
  ['R55231B3000700'],
  ['90025108000101'],
  ['90025255 0001'],
  ['900244200001A2'],
  ['12ABC34501DE36'],
  ['12_ABC34501DE35'],
  ['12ÁBC34501DE35'],
  ['11111111111111'],
  ['00000000000000'],
  ['A1B2C3D41A2B99'],
  ['12abc34501de35'],
  ['12.ABC.345/01DE-35'],
  ['12ABC34501DE3'],
  [''],
])('%s is no CNPJ', (cnpj) => {
  expect(isCnpj(cnpj)).toBe(false)
})

test.each([
  ['12.ABC.345/01DE-35', '12ABC34501DE35'],
  [' 12.abc.345/01de-35 ', '12ABC34501DE35'],
  ['529.982.247-25', '52998224725'],
  // Letters that only upper-casing would turn into ASCII stay what they are, and are refused.
  ['12ıſc34501de35', '12ıſC34501DE35'],
])('%s is stripped to %s', (typed, stored) => {
  expect(stripTaxId(typed)).toBe(stored)
})

test('masks show the middle only', () => {
  expect(maskCpf('12345678909')).toBe('***.456.789-**')
  expect(maskCnpj('12ABC34501DE35')).toBe('**.ABC.345/****-**')
  expect(maskTaxId('12345678909')).toBe('***.456.789-**')
  expect(maskTaxId('11222333000181')).toBe('**.222.333/****-**')
  expect(maskTaxId('123456')).toBe('***')
  expect(maskTaxId('')).toBe('***')
})

test('what an independent implementation generates is valid, also behind a mask', () => {
  for (let round = 0; round < 200; round += 1) {
    expect(isCpf(stripTaxId(generateCpf()))).toBe(true)
    expect(isCnpj(stripTaxId(generateCnpj(1)))).toBe(true)
    expect(isCnpj(stripTaxId(generateCnpj(2)))).toBe(true)
  }
})

test('an independent implementation agrees on every number', () => {
  const nearCpf = fc.stringMatching(/^[0-9]{11}$/)
  const nearCnpj = fc.stringMatching(/^[0-9A-Z]{12}[0-9]{2}$/)
  fc.assert(
    fc.property(nearCpf, (cpf) => {
      expect(isCpf(cpf)).toBe(isValidCpf(cpf))
    }),
  )
  fc.assert(
    fc.property(nearCnpj, (cnpj) => {
      expect(isCnpj(cnpj)).toBe(isValidCnpj(cnpj, { version: 2 }))
    }),
  )
})

test('of the hundred endings of a number, exactly one is right', () => {
  const endings = Array.from({ length: 100 }, (_, ending) => String(ending).padStart(2, '0'))
  const unequal = (root: string) => new Set(root).size > 1
  fc.assert(
    fc.property(fc.stringMatching(/^[0-9]{9}$/).filter(unequal), (root) => {
      expect(endings.filter((ending) => isCpf(root + ending))).toHaveLength(1)
    }),
  )
  fc.assert(
    fc.property(fc.stringMatching(/^[0-9A-Z]{12}$/).filter(unequal), (root) => {
      expect(endings.filter((ending) => isCnpj(root + ending))).toHaveLength(1)
    }),
  )
})
