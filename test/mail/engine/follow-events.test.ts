import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../support/app.ts'
import {
  adminToken,
  approvedSeller,
  createCompany,
  newEmail,
  registerSeller,
  type Seller,
} from '../../support/factories.ts'
import { mailsTo } from '../../support/mailbox.ts'
import { sendAll } from '../../support/mails.ts'
import { createPayment, PAYER, pay, sellingSeller } from '../../support/payments.ts'
import { disputed, paidPix, runJobs } from '../../support/refunds.ts'
import { configure, requested, sellerWith } from '../../support/withdrawals.ts'

const DAY_MS = 86_400_000

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.close())

/** Lets everything that was caused be told, and answers the subjects that an address got, but for those of its beginning. */
const subjectsTo = async (address: string): Promise<string[]> => {
  while ((await app.services.webhookEngine.fanOut.runOnce()) > 0);
  await sendAll(app.services.jobs.sendMails)
  const subjects = (await mailsTo(app.config.dataDir, address)).map(({ subject = '' }) =>
    subject.replaceAll('\u00a0', ' '),
  )
  return subjects.filter((subject) => subject !== 'Confirme seu e-mail' && !subject.endsWith('está aprovada'))
}

const choose = (seller: Seller, chosen: { withdrawals?: boolean; payerReceipts?: boolean }) => {
  const mails = { company: true, withdrawals: chosen.withdrawals ?? true, disputes: true, dailyDigest: true }
  const body = { language: 'pt', mails, payerReceipts: chosen.payerReceipts ?? false }
  return app.api.put(`users/${seller.id}/notifications`, { token: seller.token, body })
}

test('a company that is approved, rejected or has to be changed: its seller is told, with the reason', async () => {
  const token = await adminToken(app)
  const approved = await approvedSeller(app)
  await subjectsTo(approved.email)
  const subjects = (await mailsTo(app.config.dataDir, approved.email)).map(({ subject }) => subject)
  expect(subjects.filter((subject) => subject?.endsWith('está aprovada'))).toHaveLength(1)
  for (const [act, words] of [
    ['reject', 'não foi aprovada'],
    ['request-changes', 'Falta um ajuste'],
  ]) {
    const seller = await registerSeller(app)
    const { id } = await createCompany(app, seller)
    const body = { reason: 'O contrato social está ilegível.' }
    expect((await app.api.post(`admin/enterprises/${id}/${act}`, { token, body })).status).toBe(200)
    const told = await subjectsTo(seller.email)
    expect([act, told]).toEqual([act, [expect.stringContaining(words ?? '')]])
    expect((await mailsTo(app.config.dataDir, seller.email)).at(-1)?.text).toContain(body.reason)
  }
})

test('a payout that is completed, and comes back: each is told once, however often the event is looked at', async () => {
  const seller = await sellerWith(app, 100_000)
  await configure(app, seller.id, { autoApproveMaxAmount: 1_000_000 })
  const { id } = await requested(app, seller, { amount: 10_000 })
  await app.services.jobs.payWithdrawals.runOnce()
  expect(await subjectsTo(seller.email)).toEqual(['Saque de R$ 100,00 concluído'])
  await app.sql.query('update events set fanned_out_at = null where seller_id = $1', [seller.id])
  expect(await subjectsTo(seller.email)).toEqual(['Saque de R$ 100,00 concluído'])
  const settle = { token: seller.token, body: { outcome: 'returned' } }
  expect((await app.api.post(`sandbox/withdrawals/${id}/settle`, settle)).status).toBe(202)
  expect(await subjectsTo(seller.email)).toEqual(['Saque de R$ 100,00 concluído', 'Saque de R$ 100,00 devolvido'])
  const text = (await mailsTo(app.config.dataDir, seller.email)).map((mail) => mail.text).join()
  expect(text).not.toContain('financeiro@padaria.com.br')
})

test('a payout that fails is told; who turned that off hears nothing', async () => {
  const [told, silent] = [await sellerWith(app, 100_000), await sellerWith(app, 100_000)]
  await choose(silent, { withdrawals: false })
  for (const seller of [told, silent]) {
    await configure(app, seller.id, { autoApproveMaxAmount: 1_000_000 })
    // The sandbox's bank decides later on payouts that end so.
    const { id } = await requested(app, seller, { amount: 10_091 })
    await app.services.jobs.payWithdrawals.runOnce()
    const settle = { token: seller.token, body: { outcome: 'failed' } }
    expect((await app.api.post(`sandbox/withdrawals/${id}/settle`, settle)).status).toBe(202)
  }
  expect(await subjectsTo(told.email)).toEqual(['Saque de R$ 100,91 não realizado'])
  expect(await subjectsTo(silent.email)).toEqual([])
})

test('a dispute is told when it is opened, and again when the time to answer runs out', async () => {
  const seller = await sellingSeller(app)
  await disputed(app, seller, (await paidPix(app, seller)).id)
  expect(await subjectsTo(seller.email)).toEqual(['Contestação de R$ 100,00: responda até o prazo'])
  app.clock.setOffsetMs(app.clock.offsetMs() + 5.5 * DAY_MS)
  await runJobs(app, ['remindOfDisputes'])
  expect(await subjectsTo(seller.email)).toEqual([
    'Contestação de R$ 100,00: responda até o prazo',
    'O prazo da contestação de R$ 100,00 está acabando',
  ])
})

test('a receipt goes to the payer, once, where the seller wants it and the payer gave an address', async () => {
  const [wanting, other] = [await sellingSeller(app), await sellingSeller(app)]
  await choose(wanting, { payerReceipts: true })
  const payOne = async (seller: Seller, email?: string) => {
    const { id } = await createPayment(app, seller, { customer: { ...PAYER, ...(email ? { email } : {}) } })
    await pay(app, seller, id)
    return id as string
  }
  const [payer, unasked] = [newEmail(), newEmail()]
  const id = await payOne(wanting, payer)
  await payOne(other, unasked)
  await payOne(wanting)
  expect(await subjectsTo(payer)).toEqual([expect.stringMatching(/^Comprovante: R\$ 100,00 para /)])
  expect(await subjectsTo(unasked)).toEqual([])
  expect((await mailsTo(app.config.dataDir, payer))[0]?.text).toContain(id)
  const { rows } = await app.sql.query("select * from mails where kind = 'payment_receipt'")
  // Nothing of a payer is kept with their mail.
  expect([rows.length, JSON.stringify(rows).includes(payer)]).toEqual([1, false])
})

test('each morning administrators are told what waits, once, and nothing where nothing does', async () => {
  const { sendDailyDigest } = app.services.jobs
  const seller = await registerSeller(app)
  await createCompany(app, seller)
  const at = (time: string) => app.clock.setOffsetMs(Date.parse(time) - Date.now())
  // The clock goes forward alone.
  const day = new Date(app.clock.now().getTime() + 2 * DAY_MS).toISOString().slice(0, 10)
  at(`${day}T10:59:00.000Z`)
  expect(await sendDailyDigest.runOnce()).toBe(0)
  at(`${day}T11:00:05.000Z`)
  expect((await Promise.all([1, 2, 3].map(() => sendDailyDigest.runOnce()))).sort()).toEqual([0, 0, 1])
  const { email } = app.config.admin
  expect((await subjectsTo(email)).filter((subject) => subject === 'O que aguarda uma decisão')).toHaveLength(1)
  expect((await mailsTo(app.config.dataDir, email)).at(-1)?.text).toMatch(/Empresas para analisar: \d+, desde/)
  await app.sql.query("update companies set status = 'rejected' where status = 'awaiting_approval'")
  at(`${new Date(Date.parse(day) + DAY_MS).toISOString().slice(0, 10)}T12:00:00.000Z`)
  expect(await sendDailyDigest.runOnce()).toBe(0)
})

test('what changes how one logs in, and what programs log in with, is told to who it is about', async () => {
  const seller = await registerSeller(app)
  const { id, token, password } = seller
  const next = { currentPassword: password, newPassword: 'outro café com leite' }
  expect((await app.api.put(`users/${id}/password`, { token, body: next })).status).toBe(204)
  expect((await app.api.put('integrations/credentials', { token, body: { rotateSecret: true } })).status).toBe(200)
  expect(await subjectsTo(seller.email)).toEqual(['Sua senha foi alterada', 'Novo segredo das credenciais da API'])
})
