import { afterAll, beforeAll, expect, test } from 'vitest'
import { addDays, daysBetween, onBusinessDay, saoPauloDate } from '../../../src/domain/calendar.ts'
import type { TestApp } from '../../support/app.ts'
import { createPayment, getPayment, PAYER, sellingSeller } from '../../support/payments.ts'
import { receivedRows, runPixJobs, startPixApp } from '../../support/psp/pix-app.ts'
import { startTestPsp, type TestPsp } from '../../support/psp/simulator.ts'
import { until } from '../../support/until.ts'

let psp: TestPsp
let app: TestApp

beforeAll(async () => {
  psp = await startTestPsp()
  app = await startPixApp(psp)
  await runPixJobs(app, ['readReceivedPix', 'registerPixWebhook'])
})

afterAll(async () => {
  await app.close()
  await psp.close()
})

const today = () => saoPauloDate(app.clock.now())

const dueTerms = () => {
  const dueDate = onBusinessDay(addDays(today(), 10))
  const discounts = [{ until: dueDate, percentage: 7 }]
  return { dueDate, fine: { percentage: 2 }, interest: { monthlyPercentage: 1 }, discounts, customer: PAYER }
}

/** The platform's time and the PSP's go on together. */
const moveOn = async (days: number): Promise<void> => {
  app.clock.setOffsetMs(app.clock.offsetMs() + days * 86_400_000)
  await psp.control.must('PUT', '/clock', { offsetMs: app.clock.offsetMs() })
}

const paidAfterDue = async (lateDays: number, fields: Record<string, unknown> = {}) => {
  const seller = await sellingSeller(app)
  const terms = dueTerms()
  const payment = await createPayment(app, seller, terms)
  await moveOn(daysBetween(today(), addDays(terms.dueDate, lateDays)))
  const { endToEndId } = await psp.control.pay({ txid: payment.pix.txid, ...fields })
  const paid = await until('the money is booked', async () => {
    const found = await getPayment(app, seller, payment.id)
    return found.paidAmount > 0 && found
  })
  return { endToEndId, paid }
}

test('a Pix with a due date is a `cobv` at the PSP, with its terms and payer', async () => {
  const seller = await sellingSeller(app)
  const terms = dueTerms()
  const { dueDate } = terms
  const payment = await createPayment(app, seller, { ...terms, description: 'Aluguel' })
  const kept = (await psp.client.call('GET', `/cobv/${payment.pix.txid}`)).body
  expect(kept).toMatchObject({
    ...{ status: 'ATIVA', solicitacaoPagador: 'Aluguel', pixCopiaECola: payment.pix.qrCode },
    calendario: { dataDeVencimento: dueDate, validadeAposVencimento: 30 },
    devedor: { cpf: '52998224725', nome: PAYER.name },
    valor: {
      original: '100.00',
      multa: { modalidade: 2, valorPerc: '2.00' },
      juros: { modalidade: 3, valorPerc: '1.00' },
      desconto: { modalidade: 2, descontoDataFixa: [{ data: dueDate, valorPerc: '7.00' }] },
    },
  })
  expect((await app.api.post(`payments/${payment.id}/cancel`, { token: seller.token })).status).toBe(200)
  const removed = (await psp.client.call('GET', `/cobv/${payment.pix.txid}`)).body
  expect(removed.status).toBe('REMOVIDA_PELO_USUARIO_RECEBEDOR')
})

test('paid early: the discount that the PSP tells', async () => {
  const { paid } = await paidAfterDue(-10)
  expect(paid).toMatchObject({
    ...{ status: 'paid', paidAmount: 9_300 },
    amountsReceived: { principal: 10_000, fine: 0, interest: 0, discount: 700 },
  })
})

test('paid late: fine and interest that the PSP tells, and no exception is left', async () => {
  const { paid, endToEndId } = await paidAfterDue(15)
  expect(paid).toMatchObject({
    ...{ status: 'paid', paidAmount: 10_250 },
    amountsReceived: { principal: 10_000, fine: 200, interest: 50, discount: 0 },
  })
  expect((await receivedRows(app)).find((row) => row.end_to_end_id === endToEndId)).toMatchObject({ status: 'booked' })
})

test('late with less than the principal is another amount, and open', async () => {
  const { paid, endToEndId } = await paidAfterDue(15, { amount: '90.00', force: true })
  expect(paid).toMatchObject({ status: 'pending', statusReason: 'underpaid' })
  expect((await receivedRows(app)).find((row) => row.end_to_end_id === endToEndId)).toMatchObject({
    ...{ status: 'open', reason: 'underpaid' },
  })
})
