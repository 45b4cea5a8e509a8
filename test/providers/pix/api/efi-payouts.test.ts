import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { centavos } from '../../../../src/domain/money.ts'
import type { PayoutInput, PixPayouts, SentPix } from '../../../../src/providers/pix/api/efi/payouts.ts'
import type { PixApi } from '../../../../src/providers/pix/api/pix-api.ts'
import { PROFILE_NAMES } from '../../../../src/providers/pix/api/profiles.ts'
import { okValue, openPixApi } from '../../../support/psp/pix-api.ts'
import { startTestPsp, type TestPsp } from '../../../support/psp/simulator.ts'
import { until } from '../../../support/until.ts'

let psp: TestPsp
let api: PixApi
let payouts: PixPayouts
let key: string

beforeAll(async () => {
  psp = await startTestPsp()
  const opened = openPixApi(psp)
  api = opened.api
  key = opened.key
  if (api.payouts === undefined) throw new Error('Efí has payouts')
  payouts = api.payouts
  await psp.control.must('POST', '/merchants/merchant-1/balance', { amount: '100.00' })
})
afterEach(async () => {
  await psp.control.must('POST', '/reset')
  await psp.control.must('POST', '/merchants/merchant-1/balance', { amount: '100.00' })
})
afterAll(async () => {
  await api.close()
  await psp.close()
})

const input = (changes: Partial<PayoutInput> = {}): PayoutInput => ({
  ...{ amount: centavos(500), payerKey: key, to: { key: 'maria@example.com' }, message: 'Saque 12' },
  ...changes,
})

const ended = (id: string): Promise<SentPix> =>
  until(`the payout ${id} ends`, async () => {
    const payout = okValue(await payouts.get(id))
    return payout.status !== 'processing' && payout
  })

test('a payout is taken, and done afterwards, by our id, its end-to-end id and in the list', async () => {
  const accepted = okValue(await payouts.put('P1', input()))
  expect(accepted).toEqual({ id: 'P1', endToEndId: expect.any(String), amount: 500, status: 'processing' })
  const done = await ended('P1')
  expect(done).toMatchObject({
    ...{ id: 'P1', endToEndId: accepted.endToEndId, amount: 500, status: 'completed', returns: [], error: null },
    ...{ requestedAt: expect.any(Date), settledAt: expect.any(Date) },
  })
  expect(okValue(await payouts.getByEndToEndId(accepted.endToEndId))).toEqual(done)
  const period = { from: new Date(Date.now() - 60_000), to: new Date() }
  expect(okValue(await payouts.list(period)).items).toEqual([done])
  const all = []
  for await (const page of payouts.all({ ...period, from: new Date(Date.now() - 40 * 86_400_000) }))
    all.push(...okValue(page).items)
  expect(all).toEqual([done])
})

test('an account is paid like a key', async () => {
  const account = { name: 'Maria Souza', document: '52998224725', bank: '00000000', branch: '1', account: '123' }
  const to = { account: { ...account, type: 'checking' } } as const
  expect(okValue(await payouts.put('P1', input({ to }))).status).toBe('processing')
  expect((await ended('P1')).status).toBe('completed')
})

test('one that the recipient’s bank does not take fails with its code, and so does one without funds', async () => {
  await psp.control.must('PATCH', '/settings', { payouts: { outcome: 'fail', reason: 'Conta inexistente', count: 1 } })
  await payouts.put('P1', input())
  const failed = { status: 'failed', settledAt: null, error: { code: 'AC03', reason: 'Conta inexistente' } }
  expect(await ended('P1')).toMatchObject(failed)
  await payouts.put('P2', input({ amount: centavos(10_001) }))
  expect(await ended('P2')).toMatchObject({ status: 'failed', error: { code: 'AM04' } })
})

test('money that comes back is told with the payout', async () => {
  await payouts.put('P1', input())
  await ended('P1')
  await psp.control.must('POST', '/payouts/P1/return', { amount: '2.00', reason: 'Conta errada' })
  const { returns, status } = okValue(await payouts.get('P1'))
  expect(status).toBe('completed')
  expect(returns).toMatchObject([{ amount: 200, reason: 'Conta errada', returnedAt: expect.any(Date) }])
})

test('an id that was used is a conflict, whatever is in it, and no money leaves twice', async () => {
  await payouts.put('P1', input())
  const conflict = { kind: 'conflict', status: 409, problem: 'id_envio_duplicado' }
  expect(await payouts.put('P1', input())).toEqual(conflict)
  expect(await payouts.put('P1', input({ amount: centavos(600) }))).toEqual(conflict)
  await ended('P1')
  expect(okValue(await (api.balance?.get() ?? Promise.reject()))).toMatchObject({ available: 9_500 })
})

test('a key of another owner, and one that is not ours to pay from, are refused with our words for it', async () => {
  await psp.control.must('PUT', '/keys/maria@example.com', { name: 'Maria Souza', document: '11144477735' })
  const to = { key: 'maria@example.com', document: '52998224725' }
  expect(await payouts.put('P1', input({ to }))).toEqual({
    ...{ kind: 'refused', status: 400, problem: 'chave_nao_pertence_ao_documento', fields: [] },
    title: 'The Pix key belongs to another person or company.',
  })
  const stranger = await payouts.put('P2', input({ payerKey: 'someone@example.com' }))
  expect(stranger).toMatchObject({ kind: 'refused', problem: 'chave_invalida' })
})

test('a payout that nobody made is missing', async () => {
  const missing = { kind: 'missing', problem: 'PixEnviadoNaoEncontrado' }
  expect(await payouts.get('P9')).toEqual(missing)
  expect(await payouts.getByEndToEndId('E09089356202611221200abcdefghijk')).toEqual(missing)
})

test('only Efí has payouts, infractions, a balance and statements', async () => {
  for (const profile of PROFILE_NAMES) {
    const other = await startTestPsp({ profile })
    const { api: client } = openPixApi(other)
    const has = profile === 'efi'
    for (const own of ['payouts', 'infractions', 'balance', 'reports'] as const) {
      expect(client.can(own)).toBe(has)
      expect(client[own] !== undefined).toBe(has)
    }
    expect(client.can('charges') && client.can('dueCharges') && client.can('pix') && client.can('webhooks')).toBe(true)
    await Promise.all([client.close(), other.close()])
  }
})
