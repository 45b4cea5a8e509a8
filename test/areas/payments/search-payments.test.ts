import { afterAll, beforeAll, expect, test } from 'vitest'
import { PAYMENTS_SEARCHED_MAX } from '../../../src/areas/payments/payments.search.ts'
import { startTestApp, type TestApp } from '../../support/app.ts'
import { adminToken, type Seller } from '../../support/factories.ts'
import { createPayment, pay, sellingSeller } from '../../support/payments.ts'

const OLD = {
  description: 'Vaso de barro',
  externalReference: 'pedido-antigo',
  customer: { name: 'Francisca das Dores', document: '529.982.247-25', email: 'francisca@example.com' },
}

let app: TestApp
let seller: Seller
let admin: string
let old: { id: string; createdAt: string; pixEndToEndId: string }

// One payment for all that a test needs, and as many copies behind it as a search looks through.
const bury = async (): Promise<void> => {
  const { id } = await createPayment(app, seller, {
    amount: 700,
    description: 'Caneca',
    externalReference: 'pedido-novo',
  })
  await app.sql.query('create table copies as select p.* from payments p, generate_series(1, $2) where id = $1', [
    id,
    PAYMENTS_SEARCHED_MAX - 1,
  ])
  await app.sql.query(`with numbered as (select ctid, row_number() over () as n from copies)
    update copies set id = (left(id::text, 24) || lpad(to_hex(n), 12, '0'))::uuid from numbered where numbered.ctid = copies.ctid`)
  await app.sql.query('insert into payments select * from copies')
  await app.sql.query('drop table copies')
}

beforeAll(async () => {
  app = await startTestApp()
  admin = await adminToken(app)
  seller = await sellingSeller(app)
  const { id } = await createPayment(app, seller, { amount: 500, ...OLD })
  await pay(app, seller, id)
  const { rows } = await app.sql.query('update payments set pix_end_to_end_id = $2 where id = $1 returning *', [
    id,
    'E0001112223334445556667778889990',
  ])
  old = { id, createdAt: rows[0].created_at.toISOString(), pixEndToEndId: rows[0].pix_end_to_end_id }
  app.clock.setOffsetMs(1_000)
  await bury()
})

afterAll(() => app.close())

const search = async (text: string, { query = '', token = seller.token, path = 'payments' } = {}) => {
  const {
    status,
    body,
    text: answer,
    headers,
  } = await app.api.get(`${path}?search=${encodeURIComponent(text)}${query}`, { token })
  if (status !== 200) throw new Error(answer)
  return {
    ...body,
    ids: body.data.map(({ id }: { id: string }) => id),
    link: headers.get('link') ?? '',
    complete: headers.get('search-complete'),
  }
}

test('200: what names a payment finds it behind all that a search looks through', async () => {
  for (const text of [
    old.id,
    old.id.toUpperCase(),
    old.pixEndToEndId,
    '529.982.247-25',
    '52998224725',
    'pedido-antigo',
  ]) {
    expect([text, (await search(text)).ids]).toEqual([text, [old.id]])
  }
  for (const text of [old.id, old.pixEndToEndId, '52998224725']) {
    const found = await search(text, { token: admin, path: 'admin/payments' })
    expect([text, found.ids, found.totalRecords]).toEqual([text, [old.id], 1])
  }
})

test('200: another seller’s payments are not found, whatever names them', async () => {
  const other = await sellingSeller(app)
  for (const text of [old.id, old.pixEndToEndId, '52998224725', 'pedido-antigo', 'caneca']) {
    expect((await search(text, { token: other.token })).totalRecords).toBe(0)
  }
})

test('200: a part of a text is looked for in the newest payments, and in older ones with what narrows the list', async () => {
  for (const text of ['barro', 'antigo', 'francisca', '@EXAMPLE']) {
    expect([text, (await search(text)).totalRecords]).toEqual([text, 0])
    const query = `&to=${new Date(Date.parse(old.createdAt) + 1).toISOString()}`
    expect([text, (await search(text, { query })).ids]).toEqual([text, [old.id]])
    expect([text, (await search(text, { query: '&status=paid' })).ids]).toEqual([text, [old.id]])
  }
  expect((await search('529.982.247-25', { query: '&status=pending' })).ids).toEqual([])
})

test('200: what many payments hold has an exact total, a first and a last page, and cursors between them', async () => {
  const first = await search('CANECA', { query: '&perPage=100' })
  expect(first).toMatchObject({ totalRecords: PAYMENTS_SEARCHED_MAX, totalPages: PAYMENTS_SEARCHED_MAX / 100 })
  const next = await app.api.get(/<([^>]+)>; rel="next"/.exec(first.link)?.[1] ?? '', { token: seller.token })
  const second = await search('caneca', { query: '&perPage=100&page=2' })
  expect(next.body.data.map(({ id }: { id: string }) => id)).toEqual(second.ids)
  const back = /<([^>]+)>; rel="prev"/.exec(next.headers.get('link') ?? '')?.[1] ?? ''
  expect((await app.api.get(back, { token: seller.token })).body.data).toEqual(first.data)
  const last = await search('caneca', { query: `&perPage=100&page=${first.totalPages}` })
  expect(last.ids).toHaveLength(100)
  expect((await search('caneca', { query: `&perPage=100&page=${first.totalPages + 1}` })).ids).toEqual([])
  const { rows } = await app.sql.query('select id from payments where id <> $1 order by id limit 100', [old.id])
  expect(last.ids).toEqual(rows.map(({ id }) => id).reverse())
})

test.each(['%', '_', 'a\\', '\\'])('200: a search for %s takes it literally', async (text) => {
  expect((await search(text)).totalRecords).toBe(0)
})

test('200: a search says that it did not look at everything, and goes on until it has', async () => {
  const first = await search('barro')
  expect([first.totalRecords, first.complete]).toEqual([0, 'false'])
  const next = /<([^>]+)>; rel="next"/.exec(first.link)?.[1] ?? ''
  const behind = await app.api.get(next, { token: seller.token })
  expect(behind.body.data.map(({ id }: { id: string }) => id)).toEqual([old.id])
  expect(behind.headers.get('search-complete')).toBe('true')
  expect(behind.headers.get('link')).not.toContain('rel="next"')
  expect((await search('barro', { query: '&status=paid' })).complete).toBe('true')
  const listed = await app.api.get('payments', { token: seller.token })
  expect(listed.headers.has('search-complete')).toBe(false)
})

test('200: a walk along next finds everything once, in each order, also what is named and lies behind', async () => {
  for (const [text, sort, total] of [
    ['pedido', '-createdAt', PAYMENTS_SEARCHED_MAX + 1],
    ['pedido', '-amount', PAYMENTS_SEARCHED_MAX + 1],
    ['pedido-antigo', '-createdAt', 1],
    ['antigo', 'paidAt', 1],
  ] as const) {
    const seen: string[] = []
    let complete: string | null = null
    for (
      let path: string | undefined = `/api/v1/payments?search=${text}&perPage=100&sort=${sort}`;
      path !== undefined;
    ) {
      const { body, headers }: Awaited<ReturnType<typeof app.api.get>> = await app.api.get(path, {
        token: seller.token,
      })
      seen.push(...body.data.map(({ id }: { id: string }) => id))
      complete = headers.get('search-complete')
      path = /<([^>]+)>; rel="next"/.exec(headers.get('link') ?? '')?.[1]
    }
    expect([text, sort, seen.length, new Set(seen).size, complete]).toEqual([text, sort, total, total, 'true'])
  }
})

test('200: a file of a search holds all that it finds, however old', async () => {
  for (const [text, lines] of [
    ['barro', 1],
    ['pedido', PAYMENTS_SEARCHED_MAX + 1],
  ] as const) {
    const accept = { accept: 'text/csv' }
    const file = await app.api.get(`payments?search=${text}`, { token: seller.token, headers: accept })
    expect([text, file.text.trimEnd().split('\r\n').length - 1]).toEqual([text, lines])
  }
})
