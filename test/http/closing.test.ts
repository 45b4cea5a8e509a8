import { once } from 'node:events'
import { Agent, request } from 'node:http'
import { Readable } from 'node:stream'
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

test('a stream whose head went out before is finished too, and its connection does not stay', async () => {
  const database = await createTestDatabase()
  const release = Promise.withResolvers<void>()
  async function* parts() {
    yield 'begun, '
    await release.promise
    yield 'done'
  }
  const server = await startHttpServer({
    databaseUrl: database.url,
    plant: (app) => {
      app.get('/stream', { config: { access: 'public' } }, async (_request, reply) =>
        reply.send(Readable.from(parts())),
      )
      app.addHook('preClose', async () => release.resolve())
    },
  })
  const call = request(`${server.url}/stream`, { agent: new Agent({ keepAlive: true }) }).end()
  const [response] = await once(call, 'response')
  expect(response.headers.connection).toBe('keep-alive')
  const [text] = await Promise.all([response.toArray(), server.close()])
  expect(Buffer.concat(text).toString()).toBe('begun, done')
  await database.drop()
})

test('a server that leaves serves on, is not ready, and ends each connection with its answer', async () => {
  const database = await createTestDatabase()
  const server = await startHttpServer({
    databaseUrl: database.url,
    plant: (app) => {
      app.get('/quick', { config: { access: 'public' } }, async () => ({ done: true }))
    },
  })
  const agent = new Agent({ keepAlive: true })
  expect((await get(`${server.url}/quick`, agent)).headers.connection).toBe('keep-alive')
  expect((await get(`${server.url}/health/ready`, agent)).status).toBe(200)
  server.app.leave()
  expect(await get(`${server.url}/quick`, agent)).toMatchObject({ status: 200, headers: { connection: 'close' } })
  expect(await get(`${server.url}/health/ready`, agent)).toMatchObject({ status: 503, headers: { 'retry-after': '1' } })
  expect((await get(`${server.url}/health/live`, agent)).status).toBe(200)
  await server.close()
  await database.drop()
})
