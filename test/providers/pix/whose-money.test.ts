import { afterAll, beforeAll, expect, test } from 'vitest'
import type { TestApp } from '../../support/app.ts'
import { balancesOf, postPayment, sellingSeller } from '../../support/payments.ts'
import { exchangesOf } from '../../support/psp/pix-api.ts'
import { runPixJobs, startPixApp } from '../../support/psp/pix-app.ts'
import { startTestPsp, type TestPsp } from '../../support/psp/simulator.ts'
import { until } from '../../support/until.ts'
import { configure, earn, requested } from '../../support/withdrawals.ts'

let psp: TestPsp
let app: TestApp

beforeAll(async () => {
  psp = await startTestPsp()
  app = await startPixApp(psp)
  await psp.control.must('POST', '/merchants/merchant-1/balance', { amount: '10000.00' })
})

afterAll(async () => {
  await app.close()
  await psp.close()
})

const companyOf = async ({ id }: { id: string }) => {
  const { rows } = await app.sql.query('select trade_name, cnpj from companies where seller_id = $1', [id])
  return { name: rows[0].trade_name as string, document: rows[0].cnpj as string }
}

const chargedFor = async (txid: string) => (await psp.client.call('GET', `/cob/${txid}`)).body

test('the payer’s bank is told who pays and for whom, by name and CNPJ', async () => {
  const seller = await sellingSeller(app)
  const { name, document } = await companyOf(seller)
  const customer = { name: 'Francisco da Silva', document: '529.982.247-25' }
  const { body } = await postPayment(app, seller, { customer, description: 'Pedido 77' })
  expect(await chargedFor(body.pix.txid)).toMatchObject({
    devedor: { nome: 'Francisco da Silva', cpf: '52998224725' },
    solicitacaoPagador: 'Pedido 77',
    infoAdicionais: [
      { nome: 'Vendedor', valor: name },
      { nome: 'CNPJ do vendedor', valor: document },
    ],
  })
})

test('a charge that is asked for again says for whom too', async () => {
  const seller = await sellingSeller(app)
  await psp.control.plant({ operation: 'cob.put', when: 'before', action: { kind: 'cut' } })
  expect((await postPayment(app, seller, {}, { key: 'k1' })).status).toBe(503)
  await psp.control.must('DELETE', '/faults')
  app.clock.setOffsetMs(app.clock.offsetMs() + 61_000)
  await runPixJobs(app, ['reconcilePayments'])
  const { body } = await postPayment(app, seller, {}, { key: 'k1' })
  expect(await chargedFor(body.pix.txid)).toMatchObject({ infoAdicionais: [{ nome: 'Vendedor' }, {}] })
})

const withdrawing = async (fields: Record<string, unknown>) => {
  const seller = await sellingSeller(app)
  await earn(app, seller.id, 50_000)
  await configure(app, seller.id, { autoApproveMaxAmount: 1_000_000 })
  const { id } = await requested(app, seller, fields)
  const ended = await until('the payout has an end', async () => {
    await runPixJobs(app, ['payWithdrawals', 'reconcilePayouts'])
    app.clock.setOffsetMs(app.clock.offsetMs() + 61_000)
    const { body } = await app.api.get(`withdrawals/${id}`, { token: seller.token })
    return ['completed', 'failed'].includes(body.status) && body
  })
  const sent = (await exchangesOf(psp, 'gn.pix.put')).filter(({ url }) => url.endsWith(id.replaceAll('-', '')))
  const [recipient] = sent.map(({ requestBody }) => (requestBody as { favorecido: unknown }).favorecido)
  return { seller, ended, recipient }
}

test('a payout says that its key must be the company’s, and fails with the money back where it is not', async () => {
  await psp.control.must('PUT', '/keys/outro@example.com', { name: 'Outra', document: '11144477735' })
  const { seller, ended, recipient } = await withdrawing({ pixKeyType: 'email', pixKey: 'outro@example.com' })
  const { document } = await companyOf(seller)
  expect(recipient).toEqual({ chave: 'outro@example.com', cnpj: document })
  expect(ended).toMatchObject({ status: 'failed', statusReason: 'pix_chave_nao_pertence_ao_documento' })
  expect(await balancesOf(app, seller)).toMatchObject({ available: 50_000, withdrawing: 0 })
})

test('a payout to a CPF says that it is that person’s', async () => {
  const { ended, recipient } = await withdrawing({ pixKeyType: 'cpf', pixKey: '529.982.247-25' })
  expect(recipient).toEqual({ chave: '52998224725', cpf: '52998224725' })
  expect(ended).toMatchObject({ status: 'completed' })
})
