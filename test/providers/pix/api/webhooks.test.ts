import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import type { PixApi } from '../../../../src/providers/pix/api/pix-api.ts'
import { PROFILE_NAMES } from '../../../../src/providers/pix/api/profiles.ts'
import { exchangesOf, misfits, okValue, openPixApi } from '../../../support/psp/pix-api.ts'
import { type CallbackReceiver, startCallbackReceiver } from '../../../support/psp/receiver.ts'
import { startTestPsp, type TestPsp } from '../../../support/psp/simulator.ts'

describe.each(PROFILE_NAMES)('%s', (profile) => {
  let psp: TestPsp
  let api: PixApi
  let key: string
  let receiver: CallbackReceiver

  beforeAll(async () => {
    receiver = await startCallbackReceiver()
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
    await receiver.close()
  })

  test('an address is registered, read and taken away', async () => {
    const url = `${receiver.url}?hmac=secret&ignorar=`
    expect(await api.webhooks.get(key)).toEqual({ kind: 'missing', problem: 'WebhookNaoEncontrado' })
    expect(await api.webhooks.put(key, url, { skipMtlsChecking: true })).toEqual({ kind: 'ok', value: undefined })
    expect(okValue(await api.webhooks.get(key))).toEqual({ url, createdAt: expect.any(Date) })
    expect(await api.webhooks.remove(key)).toEqual({ kind: 'ok', value: undefined })
    expect(await api.webhooks.remove(key)).toMatchObject({ kind: 'missing' })
  })

  test('only Efí is asked to skip the check of mutual TLS', async () => {
    await api.webhooks.put(key, receiver.url, { skipMtlsChecking: true })
    const [exchange] = await exchangesOf(psp, 'webhook.put')
    expect(exchange?.requestHeaders['x-skip-mtls-checking']).toBe(profile === 'efi' ? 'true' : undefined)
  })

  test('a key of somebody else is refused', async () => {
    const refusal = { kind: 'refused', problem: 'WebhookOperacaoInvalida', fields: ['key'] }
    expect(await api.webhooks.put('+5511999998888', receiver.url, { skipMtlsChecking: true })).toMatchObject(refusal)
  })
})

test('Efí refuses an address that does not ask for its certificate, unless that check is skipped', async () => {
  const receiver = await startCallbackReceiver()
  const psp = await startTestPsp()
  const { api, key } = openPixApi(psp)
  expect(await api.webhooks.put(key, receiver.url)).toMatchObject({ kind: 'refused', fields: ['url'] })
  expect(await api.webhooks.put(key, receiver.url, { skipMtlsChecking: false })).toMatchObject({ kind: 'refused' })
  expect(await api.webhooks.put(key, receiver.url, { skipMtlsChecking: true })).toMatchObject({ kind: 'ok' })
  await Promise.all([api.close(), psp.close(), receiver.close()])
})
