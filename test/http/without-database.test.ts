import { expect, test } from 'vitest'
import { createTestDatabase } from '../support/database.ts'
import { startHttpServer } from '../support/http-server.ts'

test('503: without a database the process lives, is not ready, and guarded operations ask to come back', async () => {
  const database = await createTestDatabase()
  const server = await startHttpServer({
    databaseUrl: database.url,
    plant: (app) => {
      app.post('/guarded', { config: { access: 'public', rateLimit: 'tight' } }, async () => ({}))
    },
  })
  expect((await server.api.post('/guarded')).status).toBe(200)
  await database.drop()
  expect((await server.api.get('/health/live')).status).toBe(200)
  expect((await server.api.get('/health/ready')).status).toBe(503)
  await server.close()
})
