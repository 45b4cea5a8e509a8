import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../support/app.ts'
import { approvedSeller } from '../support/factories.ts'

let app: TestApp

beforeAll(async () => {
  app = await startTestApp()
  await approvedSeller(app)
})
afterAll(() => app.close())

test.each([
  "update audit_log set action = 'nothing'",
  'delete from audit_log',
  'delete from audit_log where false',
  'truncate audit_log',
])('Postgres refuses: %s', async (text) => {
  const count = async () => (await app.sql.query("select from audit_log where action = 'company.approve'")).rowCount
  await expect(app.sql.query(text)).rejects.toMatchObject({ code: '23001', constraint: 'audit_append_only_ck' })
  expect(await count()).toBe(1)
})
