import { once } from 'node:events'
import { Agent, request } from 'node:http'
import { expect, test } from 'vitest'
import { createTestDatabase } from '../support/database.ts'
import { startHttpServer } from '../support/http-server.ts'

type Reply = { status: number; headers: Record<string, unknown>; body: string }

const get = (url: string, agent: Agent): Promise<Reply> =>
  new Promise((resolve, reject) => {
    const call = request(url, { agent }, async (response) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      await once(response, 'end')
      resolve({ status: response.statusCode ?? 0, headers: response.headers, body: Buffer.concat(chunks).toString() })
    })
    call.once('error', reject)
    call.end()
  })

test('work in flight is finished, what comes later is asked to come back, and no connection stays', async () => {
  const database = await createTestDatabase()
  const arrived = Promise.withResolvers<void>()
  const release = Promise.withResolvers<void>()
  const closingBegan = Promise.withResolvers<void>()
  const mayClose = Promise.withResolvers<void>()
  const server = await startHttpServer({
    databaseUrl: database.url,
    plant: (app) => {
      app.get('/slow', { config: { access: 'public' } }, async () => {
        arrived.resolve()
        await release.promise
        return { done: true }
      })
      app.get('/quick', { config: { access: 'public' } }, async () => ({ done: true }))
      app.addHook('preClose', async () => {
        closingBegan.resolve()
        await mayClose.promise
      })
    },
  })
  const busy = new Agent({ keepAlive: true })
  const idle = new Agent({ keepAlive: true })
  const inFlight = get(`${server.url}/slow`, busy)
  await arrived.promise
  expect((await get(`${server.url}/quick`, idle)).status).toBe(200)

  const closed = server.close()
  await closingBegan.promise
  const late = await get(`${server.url}/quick`, idle)
  expect(late.status).toBe(503)
  expect(late.headers).toMatchObject({ 'retry-after': '1', connection: 'close' })
  expect(JSON.parse(late.body)).toMatchObject({ code: 'server.unavailable' })

  mayClose.resolve()
  release.resolve()
  const finished = await inFlight
  expect(finished).toMatchObject({ status: 200, headers: { connection: 'close' }, body: '{"done":true}' })
  await closed
  await database.drop()
})
