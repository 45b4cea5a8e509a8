import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../support/app.ts'
import { registerSeller, type Seller } from '../../support/factories.ts'
import { mailsTo } from '../../support/mailbox.ts'
import { mailRows, sendAll } from '../../support/mails.ts'

const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'
const HOME = '203.0.113.7'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp({ TRUSTED_PROXIES: '127.0.0.1/32' })
})
afterAll(() => app.close())

const login = ({ email, password }: Seller, userAgent: string, address: string, cookie = '') =>
  app.api.post('auth/login', {
    body: { email, password },
    headers: { 'user-agent': userAgent, 'x-forwarded-for': address, cookie },
  })

const toldOf = async (): Promise<number> => (await mailRows(app)).filter(({ kind }) => kind === 'new_device').length

test('a log-in from another program, or from another part of the network, is told once', async () => {
  const seller = await registerSeller(app)
  const before = await toldOf()
  const told = async () => (await toldOf()) - before
  expect((await login(seller, FIREFOX, HOME)).status).toBe(200)
  expect(await told()).toBe(1)
  // The same, and from another address of the same provider.
  await login(seller, FIREFOX, HOME)
  await login(seller, FIREFOX, '203.0.200.1')
  expect(await told()).toBe(1)
  await login(seller, FIREFOX, '198.51.100.1')
  await login(seller, 'curl/8', HOME)
  expect(await told()).toBe(3)
  await sendAll(app.services.jobs.sendMails)
  const mail = (await mailsTo(app.config.dataDir, seller.email)).find(
    ({ subject }) => subject === 'Novo acesso à sua conta',
  )
  expect(mail?.text).toContain(`Aparelho: ${FIREFOX}`)
  expect(mail?.text).toContain(`Endereço de rede: ${HOME}`)
})

test('a browser that shows that it is one of before is not told of, wherever it is', async () => {
  const seller = await registerSeller(app)
  const first = await login(seller, FIREFOX, HOME)
  const [cookie = ''] = (first.headers.get('set-cookie') ?? '').split(';')
  const before = await toldOf()
  await login(seller, `${FIREFOX} 2`, '198.51.100.9', cookie)
  expect(await toldOf()).toBe(before)
})

test('a wrong password is no log-in', async () => {
  const seller = await registerSeller(app)
  const before = await toldOf()
  expect((await login({ ...seller, password: 'not this one' }, FIREFOX, '192.0.2.1')).status).toBe(401)
  expect(await toldOf()).toBe(before)
})

test('of devices only keyed hashes are kept, until the account goes or nobody uses them for half a year', async () => {
  const [seller, leaver] = [await registerSeller(app), await registerSeller(app)]
  await login(seller, FIREFOX, HOME)
  const devicesOf = async ({ id }: Seller) =>
    (await app.sql.query('select * from login_devices where user_id = $1', [id])).rows
  const kept = JSON.stringify(await devicesOf(seller))
  expect([kept.includes('Firefox'), kept.includes('203.0')]).toEqual([false, false])
  await app.api.delete(`users/${leaver.id}`, { token: leaver.token })
  expect(await devicesOf(leaver)).toEqual([])
  await app.sql.query("update login_devices set last_seen_at = now() - interval '181 days' where user_id = $1", [
    seller.id,
  ])
  await app.services.jobs.cleanUp.runOnce()
  expect(await devicesOf(seller)).toEqual([])
})
