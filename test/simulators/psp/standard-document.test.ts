import { expect, test } from 'vitest'
import { theStandard } from '../../support/psp/client.ts'
import { CORRECTIONS, readStandard } from '../../support/psp/pix-standard.ts'

const charge = {
  calendario: { criacao: '2026-11-22T18:36:22.405Z', expiracao: 3600 },
  txid: 'abcdefghijklmnopqrstuvwxyz012345',
  revisao: 0,
  status: 'ATIVA',
  valor: { original: '37.00' },
  chave: 'e5e208e7-0839-472b-a8c6-1e02e5392475',
}

const created = (body: unknown, requestBody: unknown = { ...charge, calendario: { expiracao: 3600 } }) =>
  theStandard().judge({
    ...{ method: 'PUT', path: `/cob/${charge.txid}`, requestBody, body },
    ...{ status: 201, contentType: 'application/json' },
  })

test('an exchange that fits the document is accepted', () => {
  expect(created(charge)).toBeUndefined()
})

test.each([
  ['a field that is missing', { ...charge, chave: undefined }],
  ['an amount as a number', { ...charge, valor: { original: 37 } }],
  ['an amount with three decimals', { ...charge, valor: { original: '37.000' } }],
  ['a state that is none', { ...charge, status: 'EXPIRADA' }],
  ['a CPF with a mask', { ...charge, devedor: { cpf: '529.982.247-25', nome: 'Maria' } }],
])('an answer with %s is not accepted', (_what, body) => {
  expect(created(body)).toBeDefined()
})

test('a request that the document forbids is not accepted where it was answered with success', () => {
  expect(created(charge, { valor: { original: '37.00' } })).toMatch(/^the request: /)
})

test('errors are problems with a type, a title and a status', () => {
  const judge = (contentType: string, body: unknown) =>
    theStandard().judge({ method: 'GET', path: '/pix', requestBody: undefined, status: 400, contentType, body })
  const problem = { type: 'https://pix.bcb.gov.br/api/v2/error/PixConsultaInvalida', title: 'Inválida', status: 400 }
  expect(judge('application/problem+json; charset=utf-8', problem)).toBeUndefined()
  expect(judge('application/problem+json', { ...problem, title: undefined })).toBeDefined()
  expect(judge('application/json', problem)).toBeDefined()
})

test.each(CORRECTIONS)('the published document still needs the correction: $why', ({ apply }) => {
  expect(() => apply(readStandard())).not.toThrow()
})
