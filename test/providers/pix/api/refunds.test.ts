import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { centavos } from '../../../../src/domain/money.ts'
import type { PixApi } from '../../../../src/providers/pix/api/pix-api.ts'
import { PROFILE_NAMES } from '../../../../src/providers/pix/api/profiles.ts'
import type { PixRefund } from '../../../../src/providers/pix/api/refunds.ts'
import { misfits, okValue, openPixApi } from '../../../support/psp/pix-api.ts'
import { startTestPsp, type TestPsp } from '../../../support/psp/simulator.ts'
import { until } from '../../../support/until.ts'

describe.each(PROFILE_NAMES)('%s', (profile) => {
  let psp: TestPsp
  let api: PixApi
  let key: string

  beforeAll(async () => {
    psp = await startTestPsp({ profile })
    const opened = openPixApi(psp)
    api = opened.api
    key = opened.key
  })
  afterEach(async () => {
    expect(await misfits(psp)).toEqual([])
    await psp.control.must('POST', '/reset')
  })
  afterAll(async () => {
    await api.close()
    await psp.close()
  })

  const pay = async (): Promise<string> => (await psp.control.pay({ key, amount: '10.00' })).endToEndId

  const ended = (endToEndId: string, id: string): Promise<PixRefund> =>
    until(`the refund ${id} ends`, async () => {
      const refund = okValue(await api.refunds.get(endToEndId, id))
      return refund.status !== 'processing' && refund
    })

  test('a refund is under way at first, then done, and shown with its Pix', async () => {
    const endToEndId = await pay()
    const asked = okValue(await api.refunds.put(endToEndId, 'R1', { amount: centavos(400), description: 'Troca' }))
    expect(asked).toMatchObject({ id: 'R1', amount: 400, status: 'processing', nature: 'original', settledAt: null })
    const done = await ended(endToEndId, 'R1')
    expect(done).toMatchObject({ id: 'R1', amount: 400, status: 'completed', settledAt: expect.any(Date) })
    expect(okValue(await api.receivedPix.get(endToEndId)).refunds).toEqual([done])
  })

  test('a refund that fails says why', async () => {
    await psp.control.must('PATCH', '/settings', { refunds: { outcome: 'fail', reason: 'Conta encerrada', count: 1 } })
    const endToEndId = await pay()
    await api.refunds.put(endToEndId, 'R1', { amount: centavos(400) })
    expect(await ended(endToEndId, 'R1')).toMatchObject({ status: 'failed', reason: 'Conta encerrada' })
  })

  test('an id that was used is a conflict, and one refund is made', async () => {
    const endToEndId = await pay()
    await api.refunds.put(endToEndId, 'R1', { amount: centavos(400) })
    expect(await api.refunds.put(endToEndId, 'R1', { amount: centavos(400) })).toEqual({
      ...{ kind: 'conflict', problem: 'PixDevolucaoInvalida', status: profile === 'efi' ? 409 : 400 },
    })
    expect(okValue(await api.receivedPix.get(endToEndId)).refunds).toHaveLength(1)
  })

  test('more than is left is refused; a refund or Pix that is not there is missing', async () => {
    const endToEndId = await pay()
    const beyond = await api.refunds.put(endToEndId, 'R1', { amount: centavos(1_001) })
    expect(beyond).toMatchObject({ kind: 'refused', title: 'The refund is not acceptable.', fields: ['amount'] })
    expect(await api.refunds.get(endToEndId, 'R9')).toEqual({ kind: 'missing', problem: 'PixDevolucaoNaoEncontrada' })
    const nowhere = await api.refunds.put('E99999999202611221200abcdefghijk', 'R1', { amount: centavos(1) })
    expect(nowhere).toMatchObject({ kind: 'missing' })
  })

  test.each([
    ['MED_FRAUDE', 'med_fraud'],
    ['MED_OPERACIONAL', 'med_operational'],
    ['MED_PIX_AUTOMATICO', 'med_automatic_pix'],
  ])('a refund that the PSP began shows its nature: %s', async (nature, ours) => {
    const endToEndId = await pay()
    await psp.control.must('POST', `/pix/${endToEndId}/refunds`, { amount: '2.00', nature })
    const [refund] = okValue(await api.receivedPix.get(endToEndId)).refunds
    expect(refund).toMatchObject({ amount: 200, nature: ours, status: 'completed', returnId: refund?.id })
  })
})
