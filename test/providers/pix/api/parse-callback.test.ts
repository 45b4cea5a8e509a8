import { expect, test } from 'vitest'
import { parseCallback } from '../../../../src/providers/pix/api/parse-callback.ts'

const PIX = 'E60701190202611222252jvxejpma3ew'
const TXID = '01a205767242761d9e2614927bbef81b'

const hints = (body: unknown) => {
  const parsed = parseCallback(JSON.stringify(body))
  return parsed.kind === 'hints' ? parsed.hints : parsed.reason
}

test('received Pix are read in every form in which PSPs send them, and nothing but their names', () => {
  const pix = { endToEndId: PIX, txid: TXID, valor: '100.00', horario: '2026-11-22T22:52:58.461Z' }
  const hint = { kind: 'received', endToEndId: PIX, txid: TXID }
  for (const body of [{ pix: [pix] }, [pix], pix]) expect(hints(body)).toEqual([hint])
  expect(hints({ pix: [{ ...pix, txid: undefined }] })).toEqual([{ ...hint, txid: null }])
})

test('refunds, payouts and infractions are told apart', () => {
  const refund = { id: 'R1', rtrId: 'D60701190202611222252jvxejpma3ew' }
  expect(hints({ pix: [{ endToEndId: PIX, txid: TXID, devolucoes: [refund] }] })).toEqual([
    { kind: 'received', endToEndId: PIX, txid: TXID },
    { kind: 'refund', endToEndId: PIX, refundId: 'R1', returnId: refund.rtrId },
  ])
  expect(hints({ pix: [{ endToEndId: PIX, tipo: 'SOLICITACAO', gnExtras: { idEnvio: 'P1' } }] })).toEqual([
    { kind: 'payout', payoutId: 'P1', endToEndId: PIX },
  ])
  expect(hints({ infracao: { idInfracao: 'I1', endToEndId: PIX } })).toEqual([
    { kind: 'infraction', infractionId: 'I1', endToEndId: PIX },
  ])
})

test('the try of an address says nothing, and is no nonsense', () => {
  expect(hints({ evento: 'teste_webhook' })).toEqual([])
  expect(hints({ pix: [] })).toEqual([])
})

test.each([
  ['not_json', '<html>'],
  ['not_a_callback', '{"some":"thing"}'],
  ['not_a_callback', '"text"'],
  ['too_large', `{"pix":["${'a'.repeat(1_048_576)}"]}`],
  ['too_many', JSON.stringify({ pix: Array.from({ length: 1_001 }, () => ({})) })],
])('%s', (reason, body) => {
  expect(parseCallback(body)).toEqual({ kind: 'unreadable', reason })
})
