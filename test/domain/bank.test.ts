import { expect, test } from 'vitest'
import { issuingBank } from '../../src/domain/bank.ts'

test.each([
  ['001', 'Banco do Brasil', '001-9'],
  ['033', 'Santander', '033-7'],
  ['104', 'Caixa', '104-0'],
  ['237', 'Bradesco', '237-2'],
  ['341', 'Itaú', '341-7'],
  ['748', 'Sicredi', '748-X'],
  ['756', 'Sicoob', '756-0'],
  ['995', 'Banco 995', '995-4'],
])('the bank of a barcode that begins with %s is %s, printed %s', (code, name, printed) => {
  expect(issuingBank(`${code}9${'0'.repeat(40)}`)).toEqual({ name, code: printed })
})
