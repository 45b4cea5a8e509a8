import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { PaymentProvider } from '../../../../src/providers/provider.port.ts'
import { openPixProvider } from '../../../support/psp/pix-provider.ts'
import { startTestPsp, type TestPsp } from '../../../support/psp/simulator.ts'

let psp: TestPsp
let open: ReturnType<typeof openPixProvider>
let balance: NonNullable<PaymentProvider['balance']>

beforeAll(async () => {
  psp = await startTestPsp()
  open = openPixProvider(psp)
  if (open.provider.balance === undefined) throw new Error('Efí tells the balance')
  balance = open.provider.balance
})
beforeEach(() => psp.control.must('POST', '/reset'))
afterAll(async () => {
  await open.api.close()
  await psp.close()
})

const ask = () => balance.get(AbortSignal.timeout(10_000))

test('what a claim holds back lies there beside what is available', async () => {
  await psp.control.must('POST', '/merchants/merchant-1/balance', { amount: '7.00' })
  const { endToEndId } = await psp.control.pay({ key: psp.client.key, amount: '30.00' })
  await psp.control.must('POST', '/infractions', { e2eId: endToEndId })
  expect(await ask()).toEqual({ outcome: 'found', balance: { availableAmount: 700, disputedAmount: 3_000 } })
})

test('an account that may not ask is refused, one without an answer is unknown', async () => {
  await psp.control.must('PATCH', '/merchants/merchant-1', { scopes: ['cob.read'] })
  expect(await ask()).toMatchObject({ outcome: 'refused' })
  await psp.control.must('POST', '/reset')
  await psp.control.plant({ operation: 'gn.saldo', action: { kind: 'status', status: 503 }, count: 9 })
  expect(await ask()).toMatchObject({ outcome: 'unknown', isAway: true })
})
