import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../support/app.ts'
import { adminToken } from '../support/factories.ts'
import { payLink, sellerWithLink } from '../support/payment-links.ts'

const ORIGIN = 'https://shop.example'

let app: TestApp
let paths: Record<string, { path: string; token?: string }>

beforeAll(async () => {
  app = await startTestApp({ CORS_ORIGINS: ORIGIN })
  const { seller, link } = await sellerWithLink(app)
  const { id } = await payLink(app, link)
  paths = {
    payment: { path: `/api/v1/payments/${id}/qr-code`, token: seller.token },
    link: { path: `/api/v1/payment-links/${link.hash}/qr-code` },
    statement: { path: '/api/v1/transactions', token: seller.token },
    billing: { path: '/api/v1/admin/billing?month=2026-01', token: await adminToken(app) },
    page: { path: `/pay/${link.hash}` },
    poster: { path: `/pay/${link.hash}/qr-code` },
    refusal: { path: '/api/v1/transactions?perPage=0', token: seller.token },
  }
})

afterAll(() => app.close())

test.each([
  ['payment', ['accept']],
  ['link', ['accept']],
  ['statement', ['accept', 'accept-language']],
  ['billing', ['accept']],
  ['page', ['accept-language', 'cookie']],
  ['poster', ['accept']],
  ['refusal', []],
])('Vary says by what the %s was chosen, and keeps the Origin', async (name, fields) => {
  const { path = '', token } = paths[name] ?? {}
  const headers = { origin: ORIGIN, ...(token ? { authorization: `Bearer ${token}` } : {}) }
  const answer = await fetch(`${app.url}${path}`, { headers })
  const varied = (answer.headers.get('vary') ?? '').toLowerCase().split(', ')
  expect(varied).toEqual(expect.arrayContaining(['origin', ...fields]))
  expect(new Set(varied).size).toBe(varied.length)
  expect(answer.headers.get('access-control-allow-origin')).toBe(ORIGIN)
})
