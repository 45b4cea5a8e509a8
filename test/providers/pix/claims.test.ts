import { afterAll, beforeAll, expect, test } from 'vitest'
import { PROFILES } from '../../../src/providers/pix/api/profiles.ts'
import type { TestApp } from '../../support/app.ts'
import { getPayment } from '../../support/payments.ts'
import { runPixJobs, startPixApp, waitingPix } from '../../support/psp/pix-app.ts'
import { openPixProvider } from '../../support/psp/pix-provider.ts'
import { startTestPsp, type TestPsp } from '../../support/psp/simulator.ts'

let psp: TestPsp
let app: TestApp

beforeAll(async () => {
  psp = await startTestPsp()
  app = await startPixApp(psp)
  await runPixJobs(app, ['readReceivedPix'])
})

afterAll(async () => {
  await app.close()
  await psp.close()
})

const CLAIMS = PROFILES.efi.budget.backgroundPerSecond + 10

const claimed = async () => {
  const waiting = await waitingPix(app)
  const { endToEndId } = await psp.control.pay({ txid: waiting.txid })
  await runPixJobs(app, ['readReceivedPix'])
  const infraction = await psp.control.must('POST', '/infractions', { e2eId: endToEndId, situation: 'golpe' })
  await runPixJobs(app, ['readInfractions'])
  const { token } = waiting.seller
  const { body } = await app.api.get('disputes', { token })
  expect(body.data).toMatchObject([{ paymentId: waiting.payment.id, type: 'med', status: 'open', amount: 10_000 }])
  return { ...waiting, infractionId: infraction.idInfracao as string, dispute: body.data[0], token }
}

const disputeOf = async ({ dispute, token }: Awaited<ReturnType<typeof claimed>>) =>
  (await app.api.get(`disputes/${dispute.id}`, { token })).body

test('a claim at Efí is a dispute, its defence reaches Efí, and a rejected claim is won', async () => {
  const claim = await claimed()
  expect((await getPayment(app, claim.seller, claim.payment.id)).status).toBe('in_dispute')
  const body = { text: 'O produto foi entregue, com assinatura do recebedor.' }
  const answer = await app.api.post(`disputes/${claim.dispute.id}/defense`, { token: claim.token, body })
  expect(answer.status).toBe(200)
  await runPixJobs(app, ['sendDefenses', 'readInfractions'])
  expect((await disputeOf(claim)).defense).toMatchObject({ refusal: null })
  await psp.control.must('POST', `/infractions/${claim.infractionId}`, { status: 'REJEITADA' })
  await runPixJobs(app, ['readInfractions', 'readInfractions'])
  expect(await disputeOf(claim)).toMatchObject({ status: 'won' })
  expect((await getPayment(app, claim.seller, claim.payment.id)).status).toBe('paid')
})

test('an accepted claim is lost once, though its money also goes back as a refund of the PSP', async () => {
  const claim = await claimed()
  await psp.control.must('POST', `/infractions/${claim.infractionId}`, { status: 'ACEITA' })
  await runPixJobs(app, ['readReceivedPix', 'readInfractions', 'readInfractions', 'readReceivedPix'])
  expect(await disputeOf(claim)).toMatchObject({ status: 'lost' })
  expect(await getPayment(app, claim.seller, claim.payment.id)).toMatchObject({
    ...{ status: 'charged_back', refundedAmount: 10_000 },
  })
  const { body } = await app.api.get('disputes', { token: claim.token })
  expect(body.totalRecords).toBe(1)
})

test('more claims than there is room for calls at once are read to the last one', async () => {
  const { txid } = await waitingPix(app)
  const { endToEndId } = await psp.control.pay({ txid })
  for (let count = 0; count < CLAIMS; count += 1) {
    await psp.control.must('POST', '/infractions', { e2eId: endToEndId, amount: '0.01' })
  }
  const { reader, api } = openPixProvider(psp)
  const news = await reader.newsOfInfractions()
  await api.close()
  expect(news.filter((one) => JSON.stringify(one).includes(txid))).toHaveLength(CLAIMS)
})
