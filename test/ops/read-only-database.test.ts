import { Client } from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import { startTestApp } from '../support/app.ts'
import { createTestDatabase } from '../support/database.ts'
import { postPayment, sellingSeller } from '../support/payments.ts'

test('503: a database that takes no writes is not ready, what reads goes on, and writes are asked to come back', async () => {
  const database = await createTestDatabase()
  const app = await startTestApp({}, database)
  onTestFinished(app.close)
  const seller = await sellingSeller(app)
  const name = new URL(database.url).pathname.slice(1)
  const admin = new Client({ connectionString: database.url })
  await admin.connect()
  await admin.query(`alter database ${name} set default_transaction_read_only = on`)
  // What is open keeps what it was told at its opening.
  const others = 'select pg_terminate_backend(pid) from pg_stat_activity where datname = $1 and pid <> pg_backend_pid()'
  await admin.query(others, [name])
  await admin.end()
  const written = await postPayment(app, seller)
  expect([written.status, written.headers.get('retry-after')]).toEqual([503, '1'])
  expect((await app.api.get('balance', { token: seller.token })).status).toBe(200)
  expect((await app.api.get('/health/ready')).status).toBe(503)
  expect((await app.api.get('status')).body.components.database).toBe('degraded')
})
