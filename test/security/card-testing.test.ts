import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../support/app.ts'
import { adminToken } from '../support/factories.ts'
import { card, postLinkPayment, sellerWithLink } from '../support/payment-links.ts'

let app: TestApp
let admin: string
beforeAll(async () => {
  app = await startTestApp({ TRUSTED_PROXIES: '127.0.0.0/8' })
  admin = await adminToken(app)
})
afterEach(async () => {
  await app.sql.query('delete from velocity_counters')
  await app.sql.query('delete from velocity_rules')
})
afterAll(() => app.close())

type Link = { hash: string }

const pay = (link: Link, token: string, address: string) =>
  postLinkPayment(app, link, card(token), { 'x-forwarded-for': address })

/** The token of a card that is declined: its last digit says so. */
const stolen = (index: number): string => `tok_stolen_${index}_0002`
const GOOD = 'tok_good_0000'

const statuses = async (count: number, call: (index: number) => Promise<{ status: number }>): Promise<number[]> => {
  const found: number[] = []
  for (let index = 0; index < count; index += 1) found.push((await call(index)).status)
  return found
}

const linkRule = {
  subject: 'link',
  failuresMax: 3,
  withinMinutes: 60,
  firstWaitMinutes: 5,
  longestWaitMinutes: 60,
  isActive: true,
}

test('429: after ten declined cards an address waits, while others pay, and Pix goes on', async () => {
  const { link } = await sellerWithLink(app)
  const answers = await statuses(14, (index) => pay(link, stolen(index), '203.0.113.5'))
  expect(answers).toEqual([...Array(10).fill(201), 429, 429, 429, 429])
  const refused = await pay(link, GOOD, '203.0.113.5')
  expect([refused.status, refused.body.code]).toEqual([429, 'velocity.exceeded'])
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(14 * 60)
  expect((await pay(link, GOOD, '198.51.100.4')).body.status).toBe('paid')
  const pix = await postLinkPayment(app, link, {}, { 'x-forwarded-for': '203.0.113.5' })
  expect(pix.status).toBe(201)
})

test('429: of sixty cards at the same moment ten reach the acquirer', async () => {
  const { link } = await sellerWithLink(app)
  const answers = await Promise.all(Array.from({ length: 60 }, (_, index) => pay(link, stolen(index), '203.0.113.6')))
  expect(answers.filter(({ status }) => status === 201)).toHaveLength(10)
  expect(answers.filter(({ status }) => status === 429)).toHaveLength(50)
})

test('429: one address counts as one over all links, and each wait is twice the one before', async () => {
  const links = [(await sellerWithLink(app)).link, (await sellerWithLink(app)).link]
  await statuses(10, (index) => pay(links[index % 2] as Link, stolen(index), '203.0.113.7'))
  const waits: number[] = []
  for (let round = 0; round < 3; round += 1) {
    const refused = await pay(links[0] as Link, stolen(99), '203.0.113.7')
    waits.push(Math.ceil(Number(refused.headers.get('retry-after')) / 60))
    await app.sql.query(
      "update velocity_counters set waits_until = now() - interval '1 ms' where waits_until is not null",
    )
    expect((await pay(links[1] as Link, stolen(50 + round), '203.0.113.7')).status).toBe(201)
  }
  expect(waits).toEqual([15, 30, 60])
})

test('429: one card is tried a few times, from wherever', async () => {
  const { link } = await sellerWithLink(app)
  const answers = await statuses(7, (index) => pay(link, stolen(0), `198.51.100.${index}`))
  expect(answers).toEqual([...Array(5).fill(201), 429, 429])
})

test('201: cards that pay count for nothing', async () => {
  const { link } = await sellerWithLink(app)
  expect(await statuses(12, () => pay(link, GOOD, '203.0.113.8'))).toEqual(Array(12).fill(201))
})

test('201: a payment that is sent again counts once, and is answered while its card waits', async () => {
  const { link } = await sellerWithLink(app)
  const headers = { 'x-forwarded-for': '203.0.113.9', 'idempotency-key': crypto.randomUUID() }
  const repeat = () => postLinkPayment(app, link, card(stolen(0)), headers)
  const first = await repeat()
  expect(await statuses(8, repeat)).toEqual(Array(8).fill(201))
  expect(await statuses(5, () => pay(link, stolen(0), '203.0.113.9'))).toEqual([...Array(4).fill(201), 429])
  const again = await repeat()
  expect([again.status, again.body.id]).toEqual([201, first.body.id])
})

test('429: a link that strangers try cards on from many addresses waits by the rule that an administrator set', async () => {
  const { link } = await sellerWithLink(app)
  const put = await app.api.put('admin/velocity-rules', { token: admin, body: { rules: [linkRule] } })
  expect(put.status).toBe(200)
  expect(put.body.rules).toContainEqual(linkRule)
  expect((await app.api.get('admin/velocity-rules', { token: admin })).body).toEqual(put.body)
  const answers = await statuses(5, (index) => pay(link, stolen(index), `192.0.2.${index}`))
  expect(answers).toEqual([201, 201, 201, 429, 429])
  const { rows } = await app.sql.query("select after from audit_log where action = 'velocity_rule.update'")
  expect(rows).toMatchObject([{ after: { subject: 'link', failuresMax: 3 } }])
})

test('400 and 403: rules that contradict themselves, and sellers who would change them', async () => {
  const { seller } = await sellerWithLink(app)
  const put = (token: string, rules: object[]) => app.api.put('admin/velocity-rules', { token, body: { rules } })
  expect((await put(seller.token, [linkRule])).status).toBe(403)
  for (const rules of [
    [],
    [linkRule, linkRule],
    [{ ...linkRule, longestWaitMinutes: 1 }],
    [{ ...linkRule, failuresMax: 0 }],
  ]) {
    expect((await put(admin, rules)).status).toBe(400)
  }
})

test('the hosted page counts as the operation behind it does', async () => {
  const { link } = await sellerWithLink(app)
  const rules = [{ ...linkRule, subject: 'address' }]
  await app.api.put('admin/velocity-rules', { token: admin, body: { rules } })
  const send = async (index: number) => {
    const fields = {
      method: 'credit_card',
      cardToken: stolen(index),
      name: 'Francisco da Silva',
      document: '529.982.247-25',
      email: 'francisco@example.com',
      installments: '1',
      nonce: crypto.randomUUID(),
      after: '',
    }
    const headers = {
      'content-type': 'application/x-www-form-urlencoded',
      origin: app.url,
      'x-forwarded-for': '192.0.2.77',
    }
    const body = new URLSearchParams(fields).toString()
    return fetch(`${app.url}/pay/${link.hash}`, { method: 'POST', headers, body, redirect: 'manual' })
  }
  expect(await statuses(5, send)).toEqual([303, 303, 303, 429, 429])
})
