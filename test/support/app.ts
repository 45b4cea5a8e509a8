import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { buildApp } from '../../src/app.ts'
import { createMovableClock } from '../../src/clock.ts'
import { compose } from '../../src/compose.ts'
import { type Config, loadConfig } from '../../src/config.ts'
import { createDatabase, createPool } from '../../src/db/client.ts'
import { askAgain } from '../../src/db/replica.ts'
import { contractsOf } from './contracts.ts'
import { createTestDatabase, type TestDatabase } from './database.ts'
import { findBadEvents } from './event-contract.ts'
import type { ResponseContract } from './response-contract.ts'

type CallOptions = { token?: string | undefined; body?: unknown; headers?: Record<string, string> }
// biome-ignore lint/suspicious/noExplicitAny: an answer is whatever the server sent; each test asserts its shape.
export type Answer = { status: number; body: any; text: string; headers: Headers }

const contentOf = ({ body }: CallOptions): RequestInit =>
  body === undefined
    ? {}
    : body instanceof FormData
      ? { body }
      : {
          body: typeof body === 'string' ? body : JSON.stringify(body),
          headers: { 'content-type': 'application/json' },
        }

const headersOf = (content: RequestInit, { token, headers: given = {} }: CallOptions): Headers => {
  const headers = new Headers(content.headers)
  // What compression does is shown by its own tests, which say what they take.
  headers.set('accept-encoding', 'identity')
  if (token !== undefined) headers.set('authorization', `Bearer ${token}`)
  for (const [name, value] of Object.entries(given)) headers.set(name, value)
  return headers
}

type ApiOptions = {
  /** What every answer must keep to. Absent: answers of routes that are not the platform's own. */
  contract?: (() => ResponseContract | Promise<ResponseContract>) | undefined
}

const bodyOf = (contentType: string, text: string): unknown =>
  contentType.endsWith('json') ? JSON.parse(text) : text === '' ? undefined : text

/** A client of the API over real HTTP. Throws when an answer is not as the OpenAPI document has it. */
export const createApi = (baseUrl: string, { contract }: ApiOptions = {}) => {
  const keep = async (method: string, url: string, { status, headers, text }: Omit<Answer, 'body'>) => {
    const [contentType = ''] = (headers.get('content-type') ?? '').split(';')
    const fault = (await contract?.())?.(method, url, { status, contentType, body: bodyOf(contentType, text) })
    if (fault !== undefined) throw new Error(`${fault}\n${text.slice(0, 2_000)}`)
  }

  const call =
    (method: string) =>
    async (path: string, options: CallOptions = {}): Promise<Answer> => {
      const content = contentOf(options)
      const headers = headersOf(content, options)
      const url = path.startsWith('/') ? `${baseUrl}${path}` : `${baseUrl}/api/v1/${path}`
      const response = await fetch(url, { method, ...content, headers, redirect: 'manual' })
      const text = await response.text()
      await keep(method, url, { status: response.status, headers: response.headers, text })
      const isJson = (response.headers.get('content-type') ?? '').includes('json')
      return { status: response.status, body: isJson ? JSON.parse(text) : undefined, text, headers: response.headers }
    }
  return { get: call('GET'), post: call('POST'), put: call('PUT'), patch: call('PATCH'), delete: call('DELETE') }
}

export type Api = ReturnType<typeof createApi>

/** Reads `/metrics` on the port of the API. */
export const METRICS_TOKEN = 'a-token-that-only-the-tests-use-0123456789abc'

/** What a platform of the tests is told, in this process or in its own. */
export const TEST_ENVIRONMENT = {
  NODE_ENV: 'test',
  JWT_SECRET: 'a-secret-that-only-the-tests-use-0123456789',
  ENCRYPTION_KEY: 'a-key-that-only-the-tests-use-0123456789abc',
  ADMIN_EMAIL: 'admin@example.com',
  ADMIN_PASSWORD: 'a long administrator password',
  LOG_LEVEL: 'silent',
  METRICS_TOKEN,
  PORT: '0',
  // Tests of one file share an address and log in all the time.
  RATE_LIMIT_PER_MINUTE: '1000000',
  RATE_LIMIT_PER_ADDRESS_PER_MINUTE: '1000000',
  RATE_LIMIT_TIGHT_PER_MINUTE: '1000000',
  RATE_LIMIT_UNPROVEN_WEBHOOKS_PER_MINUTE: '1000000',
}

export type TestApp = Awaited<ReturnType<typeof startTestApp>>

/**
 * The whole platform on its own database, listening on a free port. Jobs run only when a test calls them. `close` throws
 * when an event was written that is not as the OpenAPI document has it, and drops the database.
 */
export const startTestApp = async (environment: Record<string, string> = {}, given?: TestDatabase) => {
  const database = given ?? (await createTestDatabase())
  const dataDir = await mkdtemp(join(tmpdir(), 'platform-'))
  const config: Config = loadConfig({
    ...TEST_ENVIRONMENT,
    DATABASE_URL: database.url,
    DATA_DIR: dataDir,
    ...environment,
  })
  const clock = createMovableClock()
  const sql = createPool({ url: database.url, max: 10, onError: () => undefined })
  const logger = pino({ level: config.logLevel })
  const replica =
    config.replicaUrl === undefined
      ? undefined
      : askAgain(createPool({ url: config.replicaUrl, max: 5, onError: () => undefined }))
  const services = compose({
    config,
    database: createDatabase(sql),
    replica: replica && createDatabase(replica),
    clock,
    logger,
  })
  await services.authentication.ensureFirstAdmin(config.admin)
  const app = await buildApp({ config, services, logger })
  const url = await app.listen({ port: 0, host: '127.0.0.1' })
  const close = async () => {
    await app.close()
    await services.closeProviders()
    const badEvents = await findBadEvents(sql, contractsOf(app).events)
    await sql.end()
    await replica?.end()
    await database.drop()
    await rm(dataDir, { recursive: true, force: true })
    if (badEvents.length > 0) throw new Error(`events are not as the document has them:\n${badEvents.join('\n')}`)
  }
  return {
    url,
    api: createApi(url, { contract: () => contractsOf(app).answers }),
    app,
    clock,
    config,
    services,
    sql,
    replica,
    close,
  }
}
