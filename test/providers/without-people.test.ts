import { expect, test } from 'vitest'
import { withoutPeople } from '../../src/providers/without-people.ts'

test('what names people goes, at every level, and what names payments stays', () => {
  const pix = { endToEndId: 'E1', txid: 't1', valor: '10.00', horario: '2026-11-23T10:00:00Z' }
  const told = {
    pix: [
      { ...pix, infoPagador: 'Ana', pagador: { cpf: '1', nome: 'Ana' }, gnExtras: { pagador: {}, tarifa: '0.01' } },
    ],
  }
  expect(JSON.parse(withoutPeople(JSON.stringify(told)))).toEqual({ pix: [{ ...pix, gnExtras: { tarifa: '0.01' } }] })
})

test('a text that names nobody, and one that is no JSON, stay as they came', () => {
  for (const body of ['{ "a" : 1 }', 'nome=Ana', '{"nome": broken'] as const) expect(withoutPeople(body)).toBe(body)
})
