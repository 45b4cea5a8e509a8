import { Webhook } from 'standardwebhooks'
import { expect } from 'vitest'
import { parseBrCode } from '../../src/domain/br-code.ts'
import type { Api } from '../support/app.ts'
import { awaitToken } from '../support/mailbox.ts'
import { until } from '../support/until.ts'
import type { startWebhookReceiver } from '../support/webhook-receiver.ts'

type Receiver = Awaited<ReturnType<typeof startWebhookReceiver>>

/** What the walk has learnt so far. It outlives the server, which may die between any two steps. */
export type Walk = {
  /** The payer pays the payment, in the payer's bank. */
  payPix: (walk: Walk) => Promise<void>
  api: Api
  receiver: Receiver
  /** Where the server keeps its mails. */
  dataDir: string
  adminPassword: string
  seller: { email: string; password: string; token: string }
  admin: { token: string }
  companyId: string
  paymentId: string
  withdrawalId: string
  webhookSecret: string
}

type Step = { name: string; run(walk: Walk): Promise<void> }

const GROSS = 10_000
const FEE = 99
const NET = 9_901
const RESERVED = 990
const WITHDRAWN = 5_000

const company = {
  commercialName: 'Padaria da Maria',
  invoiceName: 'PADARIA DA MARIA',
  averageRevenue: 50_000,
  averageTicket: 35.5,
  productsServices: 'Pães e bolos',
  website: 'https://padaria.example.com',
  contactEmail: 'contato@padaria.example.com',
  contactPhone: '11987654321',
  sellsPhysicalProducts: true,
  cnpj: '12.ABC.345/01DE-35',
  companyName: 'Padaria da Maria Ltda',
  tradeName: 'Padaria da Maria',
  phone: '1133334444',
  email: 'oi@padaria.example.com',
  addressZipCode: '01310-100',
  addressStreet: 'Avenida Paulista',
  addressNumber: '1000',
  addressComplement: '',
  addressNeighborhood: 'Bela Vista',
  addressCity: 'São Paulo',
  addressState: 'SP',
  legalRepName: 'Maria Souza',
  legalRepCpf: '529.982.247-25',
  legalRepRole: 'Sócia',
  legalRepStartDate: '2020-01-15T00:00:00.000Z',
  legalRepPhone: '11987654321',
  legalRepEmail: 'maria@example.com',
}

const hears = (walk: Walk, type: string) => until(`the webhook ${type} arrives`, () => walk.receiver.find(type), 30_000)

const proves = (walk: Walk, type: string) => async () => {
  const { headers, body, event } = await hears(walk, type)
  expect(() => new Webhook(walk.webhookSecret).verify(body, headers)).not.toThrow()
  return event
}

/** The payer pays at the simulated acquirer. */
export const payAtSandbox = async ({ api, seller: { token }, paymentId }: Walk): Promise<void> => {
  const answer = await api.post(`sandbox/payments/${paymentId}/pay`, { token, body: {} })
  expect(answer.status).toBe(202)
}

// A payout whose process died in the middle is asked about half a minute later, by the job of the next minute.
const PAID_OUT_WITHIN_MS = 150_000

/** The main job, from a seller's registration to money in their bank. Every step stands on what the ones before left. */
export const mainJob: readonly Step[] = [
  {
    name: 'a seller registers',
    async run(walk) {
      const { email, password } = walk.seller
      const body = { email, password, name: 'Maria Souza', companyName: 'Padaria da Maria' }
      const answer = await walk.api.post('auth/register', { body })
      expect(answer).toMatchObject({ status: 201, body: { user: { role: 'seller', approved: false } } })
    },
  },
  {
    name: 'the seller opens the link of the mail',
    async run(walk) {
      const token = await awaitToken(walk.dataDir, walk.seller.email, 'verify-email')
      const answer = await walk.api.post('auth/email/verify', { body: { token } })
      // The server may have died between the commit and its answer.
      expect([204, 400]).toContain(answer.status)
    },
  },
  {
    name: 'the seller logs in',
    async run(walk) {
      const { email, password } = walk.seller
      const answer = await walk.api.post('auth/login', { body: { email, password } })
      expect(answer.status).toBe(200)
      walk.seller.token = answer.body.tokens.accessToken
    },
  },
  {
    name: 'the seller submits a company',
    async run(walk) {
      const headers = { 'idempotency-key': 'company-1' }
      const answer = await walk.api.post('companies', { token: walk.seller.token, body: company, headers })
      expect(answer).toMatchObject({ status: 201, body: { status: 'awaiting_approval', cnpj: '12ABC34501DE35' } })
      walk.companyId = answer.body.id
    },
  },
  {
    name: 'the seller sends a document',
    async run(walk) {
      const body = new FormData()
      body.set('type', 'cnpj_card')
      body.set('file', new Blob(['%PDF-1.4\n%%EOF\n']), 'cartão cnpj.pdf')
      const answer = await walk.api.post(`companies/${walk.companyId}/documents`, { token: walk.seller.token, body })
      expect(answer).toMatchObject({
        status: 201,
        body: { documents: [{ type: 'cnpj_card', contentType: 'application/pdf', status: 'pending' }] },
      })
    },
  },
  {
    name: 'the administrator logs in and sees the request',
    async run(walk) {
      const credentials = { email: 'admin@example.com', password: walk.adminPassword }
      const login = await walk.api.post('auth/login', { body: credentials })
      expect(login.status).toBe(200)
      walk.admin.token = login.body.tokens.accessToken
      const requests = await walk.api.get('admin/enterprises/requests', { token: walk.admin.token })
      expect(requests).toMatchObject({ status: 200, body: { totalRecords: 1, data: [{ id: walk.companyId }] } })
    },
  },
  {
    name: 'the administrator approves it',
    async run(walk) {
      const answer = await walk.api.post(`admin/enterprises/${walk.companyId}/approve`, { token: walk.admin.token })
      expect(answer).toMatchObject({ status: 200, body: { company: { id: walk.companyId } } })
      const login = await walk.api.post('auth/login', {
        body: { email: walk.seller.email, password: walk.seller.password },
      })
      expect(login.body.user.approved).toBe(true)
    },
  },
  {
    name: 'the administrator sets a reserve of 10 % for 30 days',
    async run(walk) {
      const list = await walk.api.get('admin/reserve-configs', { token: walk.admin.token })
      expect(list).toMatchObject({ status: 200, body: { totalRecords: 1, data: [{ sellerEmail: walk.seller.email }] } })
      const answer = await walk.api.put(`admin/reserve-configs/${list.body.data[0].id}`, {
        token: walk.admin.token,
        body: { reservePercentage: 10, reserveDays: 30, isActive: true },
      })
      expect(answer).toMatchObject({ status: 200, body: { reservePercentage: 10, reserveDays: 30, isActive: true } })
    },
  },
  {
    name: 'the seller registers a webhook',
    async run(walk) {
      const token = walk.seller.token
      const answer = await walk.api.post('seller-webhooks', { token, body: { url: walk.receiver.url } })
      expect(answer.status).toBe(201)
      expect(Object.keys(answer.body)).toEqual(['id'])
      const secret = await walk.api.get(`seller-webhooks/${answer.body.id}/secret`, { token })
      walk.webhookSecret = secret.body.secret
    },
  },
  {
    name: 'the seller charges R$ 100,00 by Pix',
    async run(walk) {
      const answer = await walk.api.post('payments', {
        token: walk.seller.token,
        headers: { 'idempotency-key': 'order-77' },
        body: { method: 'pix', amount: GROSS, description: 'Pedido 77' },
      })
      expect(answer).toMatchObject({ status: 201, body: { status: 'pending', amount: GROSS, paidAmount: 0 } })
      expect(parseBrCode(answer.body.pix.qrCode)).toBeDefined()
      walk.paymentId = answer.body.id
    },
  },
  {
    name: 'the payer pays, and the payment is paid',
    async run(walk) {
      const token = walk.seller.token
      await walk.payPix(walk)
      const paid = await until('the payment is paid', async () => {
        const payment = await walk.api.get(`payments/${walk.paymentId}`, { token })
        return payment.body.status === 'paid' && payment.body
      })
      expect(paid).toMatchObject({ paidAmount: GROSS, feeAmount: FEE, netAmount: NET, reserveAmount: RESERVED })
    },
  },
  {
    name: 'balance and transactions show it',
    async run(walk) {
      const token = walk.seller.token
      const balance = await walk.api.get('balance', { token })
      expect(balance.body).toMatchObject({
        availableAmount: NET - RESERVED,
        reservedAmount: RESERVED,
        pendingAmount: 0,
        totalAmount: NET,
      })
      const statement = await walk.api.get('transactions', { token })
      const rows = statement.body.data.map((row: Record<string, unknown>) => [row.bucket, row.direction, row.amount])
      expect(rows.toSorted()).toEqual(
        [
          ['available', 'credit', NET],
          ['available', 'debit', RESERVED],
          ['reserved', 'credit', RESERVED],
        ].toSorted(),
      )
    },
  },
  {
    name: 'the signed webhook payment.paid arrives',
    async run(walk) {
      const event = await proves(walk, 'payment.paid')()
      expect(event.data).toMatchObject({ id: walk.paymentId, status: 'paid', paidAmount: GROSS })
    },
  },
  {
    name: 'the seller requests a withdrawal',
    async run(walk) {
      const answer = await walk.api.post('withdrawals', {
        token: walk.seller.token,
        headers: { 'idempotency-key': 'withdrawal-1' },
        body: { amount: WITHDRAWN, pixKeyType: 'email', pixKey: 'maria@example.com' },
      })
      expect(answer).toMatchObject({ status: 201, body: { status: 'pending_approval', amount: WITHDRAWN } })
      walk.withdrawalId = answer.body.id
      const balance = await walk.api.get('balance', { token: walk.seller.token })
      expect(balance.body.withdrawingAmount).toBe(WITHDRAWN)
    },
  },
  {
    name: 'the administrator approves the withdrawal',
    async run(walk) {
      const list = await walk.api.get('admin/withdrawals?status=pending_approval', { token: walk.admin.token })
      expect(list).toMatchObject({ status: 200, body: { totalRecords: 1, data: [{ id: walk.withdrawalId }] } })
      const answer = await walk.api.post(`admin/withdrawals/${walk.withdrawalId}/approve`, { token: walk.admin.token })
      expect(answer.status).toBe(200)
    },
  },
  {
    name: 'the withdrawal is paid out',
    async run(walk) {
      const token = walk.seller.token
      const completed = await until(
        'the withdrawal is completed',
        async () => {
          const withdrawal = await walk.api.get(`withdrawals/${walk.withdrawalId}`, { token })
          return withdrawal.body.status === 'completed' && withdrawal.body
        },
        PAID_OUT_WITHIN_MS,
      )
      expect(completed.endToEndId).toMatch(/^E[0-9A-Z]{8}\d{12}[A-Za-z0-9]{11}$/)
      const balance = await walk.api.get('balance', { token })
      expect(balance.body).toMatchObject({ withdrawingAmount: 0, availableAmount: NET - RESERVED - WITHDRAWN })
    },
  },
  {
    name: 'the signed webhook withdrawal.completed arrives',
    async run(walk) {
      const event = await proves(walk, 'withdrawal.completed')()
      expect(event.data).toMatchObject({ id: walk.withdrawalId, status: 'completed' })
    },
  },
]
