import { randomUUID } from 'node:crypto'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { centavos } from '../../../src/domain/money.ts'
import { anotherAdmin, setPolicy } from '../../support/administrators.ts'
import { startTestApp, type TestApp } from '../../support/app.ts'
import { adminToken, type Seller } from '../../support/factories.ts'
import { readMetrics } from '../../support/metrics.ts'
import { sellingSeller } from '../../support/payments.ts'
import { AWAY, whileBalanceIs } from '../../support/provider-balance.ts'
import { paidPix, refunded } from '../../support/refunds.ts'
import { findings } from '../../support/withdrawals.ts'

let app: TestApp
let token: string
let seller: Seller

beforeAll(async () => {
  app = await startTestApp()
  token = await adminToken(app)
  seller = await sellingSeller(app)
})
afterAll(async () => {
  expect(await findings(app)).toStrictEqual([])
  await app.close()
})
// Something is earned for each test, and nothing is under way.
beforeEach(async () => {
  await paidPix(app, seller)
})
afterEach(async () => {
  await app.sql.query("delete from sandbox_records where reference like 'ghost%'")
  await app.services.jobs.payTreasury.runOnce()
  expect(await treasury()).toMatchObject({ inTransitAmount: 0, differenceAmount: 0 })
})

const treasury = async () => (await app.api.get('admin/treasury', { token })).body
const payOut = (amount: number, key: string = randomUUID()) => {
  const to = { pixKeyType: 'email', pixKey: 'tesouraria@example.com', reason: 'Fees of October.' }
  const headers = { 'idempotency-key': key }
  return app.api.post('admin/treasury/payouts', { token, body: { ...to, amount }, headers })
}
const plantGhost = (amount: number) =>
  app.api.post('sandbox/faults', { token, body: { fault: 'ghost_payout', amount } })

test('200: the provider holds what the books say, also while money is leaving', async () => {
  const payment = await paidPix(app, seller)
  await refunded(app, seller, payment.id, 1_000)
  expect((await payOut(91)).status).toBe(201)
  const before = await treasury()
  expect(before).toMatchObject({ heldAmount: 20_000, inTransitAmount: 1_091, cashAmount: 18_909, differenceAmount: 0 })
  const said = { availableAmount: 20_000, disputedAmount: 0, askedAt: expect.any(String) }
  expect(before.providers).toStrictEqual([{ provider: 'sandbox', status: 'told', ...said }])
  await app.services.jobs.sendRefunds.runOnce()
  await app.services.jobs.payTreasury.runOnce()
  await app.sql.query("update sandbox_records set status = 'completed' where kind = 'payout'")
  app.clock.setOffsetMs(app.clock.offsetMs() + 60_000)
  await app.services.jobs.payTreasury.runOnce()
  const { payableAmount } = before
  expect(await treasury()).toMatchObject({ heldAmount: 18_909, inTransitAmount: 0, differenceAmount: 0, payableAmount })
})

test('422: what the books have and the provider does not is paid out to nobody', async () => {
  const { payableAmount, earnedAmount } = await treasury()
  expect((await plantGhost(40)).status).toBe(201)
  expect(await treasury()).toMatchObject({ earnedAmount, differenceAmount: -40, payableAmount: payableAmount - 40 })
  expect(await readMetrics(app)).toContain('provider_balance_difference_centavos -40')
  const refused = await payOut(payableAmount - 39)
  expect([refused.status, refused.body.code]).toStrictEqual([422, 'treasury.amount_exceeds_payable'])
  expect((await payOut(payableAmount - 40)).status).toBe(201)
  expect((await payOut(1)).status).toBe(422)
})

test('422: what is held back for claims covers sellers, and cannot be paid out', async () => {
  const { payableAmount, heldAmount } = await treasury()
  const availableAmount = centavos(payableAmount - 10)
  const disputedAmount = centavos(heldAmount - availableAmount)
  await whileBalanceIs(app, { outcome: 'found', balance: { availableAmount, disputedAmount } }, async () => {
    expect(await treasury()).toMatchObject({ heldAmount, differenceAmount: 0, payableAmount: payableAmount - 10 })
    expect((await payOut(payableAmount)).status).toBe(422)
  })
})

test('503: a provider that does not answer, and nothing was done; a repeat has its first answer all the same', async () => {
  const { payableAmount, earnedAmount } = await treasury()
  const key = randomUUID()
  await whileBalanceIs(app, AWAY, async () => {
    const away = await payOut(payableAmount, key)
    expect([away.status, away.body.code]).toStrictEqual([503, 'treasury.provider_away'])
    expect(away.headers.get('retry-after')).toBe('5')
    const providers = [{ status: 'away', availableAmount: null }]
    expect(await treasury()).toMatchObject({ heldAmount: null, differenceAmount: null, earnedAmount, providers })
  })
  const first = await payOut(payableAmount, key)
  expect(first.status).toBe(201)
  const again = await whileBalanceIs(app, AWAY, () => payOut(payableAmount, key))
  expect(again.body).toStrictEqual(first.body)
})

test('201: where a provider does not tell, the books decide', async () => {
  const { payableAmount } = await treasury()
  await whileBalanceIs(app, { outcome: 'refused', reason: 'pix_acesso_negado' }, async () => {
    expect(await treasury()).toMatchObject({ heldAmount: null, payableAmount, providers: [{ status: 'untold' }] })
    expect((await payOut(payableAmount)).status).toBe(201)
  })
})

test('what another administrator approves is judged by what the provider holds then', async () => {
  const { payableAmount } = await treasury()
  await setPolicy(app, token, { treasuryPayoutFromAmount: 1 })
  const proposed = await payOut(payableAmount)
  expect(proposed.status).toBe(202)
  const second = await anotherAdmin(app)
  const approve = () => app.api.post(`admin/approvals/${proposed.body.id}/approve`, { token: second })
  const away = await whileBalanceIs(app, AWAY, approve)
  expect([away.status, away.body.code]).toStrictEqual([503, 'treasury.provider_away'])
  await plantGhost(1)
  expect((await approve()).body.code).toBe('approval.not_possible')
  await app.sql.query("delete from sandbox_records where reference like 'ghost%'")
  expect((await approve()).status).toBe(200)
})
