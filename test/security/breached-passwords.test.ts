import { createHash } from 'node:crypto'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { METRICS_TOKEN, startTestApp, type TestApp } from '../support/app.ts'
import { newEmail, registerSeller } from '../support/factories.ts'
import { invitationToken } from '../support/team.ts'

const LEAKED = 'seis pombas na janela'
const GOOD = 'mesa azul janela trilho'
const sha1 = (text: string): string => createHash('sha1').update(text).digest('hex').toUpperCase()

let service: Server
let app: TestApp
let isAway = false
const asked: { path: string; padding: string | undefined }[] = []

// Of every beginning it knows that of the leaked password, and of the good one only what fills the answer.
beforeAll(async () => {
  service = createServer((request, response) => {
    asked.push({ path: request.url ?? '', padding: request.headers['add-padding'] as string | undefined })
    if (isAway) return void response.writeHead(503).end()
    const rests = [`${sha1(LEAKED).slice(5)}:12`, `${sha1(GOOD).slice(5)}:0`]
    response.end(['0018A45C4D1DEF81644B54AB7F969B88D65:3', ...rests].join('\r\n'))
  })
  await new Promise<void>((resolve) => service.listen(0, '127.0.0.1', resolve))
  const { port } = service.address() as AddressInfo
  app = await startTestApp({ BREACHED_PASSWORDS_URL: `http://127.0.0.1:${port}/range` })
})
afterAll(async () => {
  await app.close()
  service.close()
})

const register = (password: string) =>
  app.api.post('auth/register', { body: { email: newEmail(), password, name: 'Maria', companyName: 'Padaria' } })

const refused = (path: string) => ({ status: 400, body: { errors: [{ in: 'body', path, code: 'password_breached' }] } })

test('400: a password that leaked is refused wherever one is chosen, and the service learns five digits of a hash', async () => {
  expect(await register(LEAKED)).toMatchObject(refused('password'))
  const seller = await registerSeller(app)
  const { id, token, password: currentPassword } = seller
  const change = { token, body: { currentPassword, newPassword: LEAKED } }
  expect(await app.api.put(`users/${id}/password`, change)).toMatchObject(refused('newPassword'))
  const email = newEmail()
  await app.api.post('team/invitations', { token, body: { email, name: 'Joana', role: 'viewer' } })
  const body = { token: await invitationToken(app, email), name: 'Joana', password: LEAKED }
  expect(await app.api.post('auth/invitations/accept', { body })).toMatchObject(refused('password'))
  expect(asked.slice(0, 1)).toEqual([{ path: `/range/${sha1(LEAKED).slice(0, 5)}`, padding: 'true' }])
  expect(asked.every(({ path }) => /^\/range\/[0-9A-F]{5}$/.test(path))).toBe(true)
})

test('201: one that only fills the answer is good', async () => {
  expect((await register(GOOD)).status).toBe(201)
})

test('201: while the service is away passwords are taken, it is asked no more, and that is counted', async () => {
  isAway = true
  const before = asked.length
  for (let times = 0; times < 3; times += 1) expect((await register(LEAKED)).status).toBe(201)
  expect(asked.length - before).toBe(1)
  const { text } = await app.api.get('/metrics', { token: METRICS_TOKEN })
  expect(text).toMatch(/^passwords_not_compared 3$/m)
})
