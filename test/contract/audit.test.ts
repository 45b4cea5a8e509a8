import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Answer, startTestApp, type TestApp } from '../support/app.ts'
import { type Act, adminOf } from '../support/audited/act.ts'
import { peopleActs } from '../support/audited/people.ts'
import { platformActs } from '../support/audited/platform.ts'
import { adminToken } from '../support/factories.ts'

const AUDITED_ACTS = { ...platformActs, ...peopleActs }

let app: TestApp
let admin: ReturnType<typeof adminOf>

beforeAll(async () => {
  app = await startTestApp({ WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8' })
  admin = adminOf(await adminToken(app))
})
afterAll(() => app.close())

// Administrators may call these, and nothing of the platform or of anybody's credentials changes by it.
const WITHOUT_ENTRY = ['POST /auth/logout', 'POST /fees/simulate']

// What sellers do themselves: how they and their servers get in, where events go, and whose data is taken out for good.
const OF_SELLERS = [
  'POST /team/invitations',
  'PUT /team/:userId',
  'DELETE /team/:userId',
  'PUT /integrations/credentials',
  'POST /seller-webhooks',
  'PATCH /seller-webhooks/:id',
  'DELETE /seller-webhooks/:id',
  'POST /seller-webhooks/:id/secret/rotate',
  'DELETE /customers/:id',
  'DELETE /customers/:customerId/cards/:cardId',
  'POST /personal-data/erasures',
]

const READS = [
  'GET /admin/users/:id/personal-data',
  'GET /admin/customers/:sellerId/:id/personal-data',
  'POST /personal-data/exports',
]

const writesOfAdministrators = (): string[] =>
  app.app.accessTable
    .map((line) => line.split(' '))
    .filter(([method, path, access]) => method !== 'GET' && path?.startsWith('/api/v1/') && access?.includes('admin'))
    .map(([method, path]) => `${method} ${path?.replace('/api/v1', '')}`)

const send = (name: string, { by, path, body, headers }: Act): Promise<Answer> => {
  const method = name.split(' ')[0]?.toLowerCase() as 'get' | 'post' | 'put' | 'patch' | 'delete'
  return app.api[method](path, { token: by.token, body, ...(headers ? { headers } : {}) })
}

const lastEntryId = async (): Promise<string> => {
  const { rows } = await app.sql.query("select coalesce(max(id::text), '') as id from audit_log")
  return rows[0].id
}

const entriesAfter = async (id: string) => {
  const { rows } = await app.sql.query('select * from audit_log where id::text > $1 order by id', [id])
  return rows
}

test('everything that administrators may write has its entry in the audit log, and a scenario here', () => {
  const writes = writesOfAdministrators()
  expect(writes.length).toBeGreaterThan(20)
  const audited = writes.filter((name) => !WITHOUT_ENTRY.includes(name))
  expect([...audited, ...OF_SELLERS, ...READS].sort()).toStrictEqual(Object.keys(AUDITED_ACTS).sort())
})

test.each(Object.entries(AUDITED_ACTS))(
  '%s: exactly one entry says who did what, before and after',
  async (name, scenario) => {
    const act = await scenario({ app, admin })
    const last = await lastEntryId()
    const answer = await send(name, act)
    expect([answer.status < 300, answer.text]).toStrictEqual([true, answer.text])
    const entries = await entriesAfter(last)
    expect(entries.map(({ action }) => action)).toStrictEqual([act.action])
    expect(entries[0]).toMatchObject({
      actor_id: act.by.id,
      actor_role: name.includes(' /admin/') || act.by.id === admin.id ? 'admin' : 'seller',
      ...(act.before ? { before: act.before } : {}),
      ...(act.after ? { after: act.after } : {}),
    })
  },
)

// What is in the database, by table, but for what only counts requests.
const contents = async (): Promise<Record<string, string>> => {
  const tables = await app.sql.query<{ name: string }>(
    "select tablename as name from pg_tables where schemaname = 'public' and tablename <> 'rate_limits' order by 1",
  )
  const sums = tables.rows.map(
    ({ name }) =>
      `select '${name}' as name, md5(coalesce(string_agg(t::text, ',' order by t::text), '')) from ${name} t`,
  )
  const { rows } = await app.sql.query(sums.join(' union all '))
  return Object.fromEntries(rows.map((row) => [row.name, row.md5]))
}

const refusingEntries = async (work: () => Promise<void>): Promise<void> => {
  await app.sql.query(`create function refuse_entry() returns trigger language plpgsql as $$
    begin raise exception 'the audit log is full'; end $$`)
  await app.sql.query('create trigger refuse_entry before insert on audit_log execute function refuse_entry()')
  try {
    await work()
  } finally {
    await app.sql.query('drop function refuse_entry() cascade')
  }
}

test.each(Object.entries(AUDITED_ACTS))(
  '%s: what cannot be written into the audit log is not done',
  async (name, scenario) => {
    const act = await scenario({ app, admin })
    const before = await contents()
    await refusingEntries(async () => {
      expect((await send(name, act)).status).toBe(500)
    })
    expect(await contents()).toStrictEqual(before)
  },
)

test('no personal data and no secret stands in the audit log', async () => {
  const { rows } = await app.sql.query('select before, after from audit_log')
  expect(rows.length).toBeGreaterThan(Object.keys(AUDITED_ACTS).length)
  const text = JSON.stringify(rows)
  expect(text).toContain('***.982.247-**')
  const { rows: people } = await app.sql.query('select email, name, company_name, phone from users')
  const { rows: companies } = await app.sql.query(
    'select cnpj, company_name, legal_rep_name, legal_rep_cpf, legal_rep_email, legal_rep_phone, email, phone from companies',
  )
  const { rows: keys } = await app.sql.query('select pix_key from withdrawals')
  const personal = [...people, ...companies, ...keys].flatMap((row) => Object.values(row))
  const written = ['98765-4321', 'maria@padaria.com.br', '529.982.247-25', 'secret-of-the-seller', 'Joana Prado']
  const found = [...new Set([...personal, ...written])].filter(
    (value) => value !== null && text.includes(String(value)),
  )
  expect(found).toStrictEqual([])
})
