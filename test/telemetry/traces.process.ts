import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import { startTestApp, TEST_ENVIRONMENT, type TestApp } from '../support/app.ts'
import { createTestDatabase, type TestDatabase } from '../support/database.ts'
import type { Seller } from '../support/factories.ts'
import { type CollectedSpan, startOtlpCollector } from '../support/otlp-collector.ts'
import { sellingSeller } from '../support/payments.ts'
import { type ServerProcess, startServer } from '../support/server-process.ts'
import { until } from '../support/until.ts'
import { startWebhookReceiver } from '../support/webhook-receiver.ts'
import { newWebhook } from '../support/webhooks.ts'

type Collector = Awaited<ReturnType<typeof startOtlpCollector>>
// Each test starts a process of the platform, on a machine that may be busy.
vi.setConfig({ testTimeout: 60_000 })
const PATIENCE_MS = 40_000

type Receiver = Awaited<ReturnType<typeof startWebhookReceiver>>

let database: TestDatabase
let inside: TestApp
let seller: Seller
let receiver: Receiver
let dataDir: string
const servers: ServerProcess[] = []
const collectors: Collector[] = []

beforeAll(async () => {
  database = await createTestDatabase()
  dataDir = await mkdtemp(join(tmpdir(), 'payment-platform-traces-'))
  inside = await startTestApp({}, { url: database.url, drop: async () => undefined })
  seller = await sellingSeller(inside)
  receiver = await startWebhookReceiver()
  await newWebhook(inside, seller, receiver.url, { events: ['payment.*'] })
})

// Each delivers what is due, whoever made it: the next test's would be collected here.
afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.stop()))
  await Promise.all(collectors.splice(0).map((collector) => collector.close()))
})

afterAll(async () => {
  await receiver.close()
  await inside.close()
  await database.drop()
  await rm(dataDir, { recursive: true, force: true })
})

const LOADED_PACKAGES = join(import.meta.dirname, 'loaded-packages.ts')

const start = async (environment: Record<string, string> = {}) => {
  const collector = await startOtlpCollector()
  collectors.push(collector)
  const server = await startServer({
    preload: LOADED_PACKAGES,
    environment: {
      ...TEST_ENVIRONMENT,
      LOG_LEVEL: 'info',
      DATABASE_URL: database.url,
      DATA_DIR: dataDir,
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
      OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json',
      OTEL_METRIC_EXPORT_INTERVAL: '1000',
      ...environment,
    },
  })
  servers.push(server)
  return { collector, server }
}

const CARD = { method: 'credit_card', amount: 12_345, cardToken: 'tok_sandbox_0000', customer: { name: 'Ana Prado' } }
const TRACE_ID = '0af7651916cd43dd8448eb211c80319c'

const pay = async (server: ServerProcess, headers: Record<string, string> = {}) => {
  const answer = await server.api.post('payments', { token: seller.token, body: CARD, headers })
  expect(answer.status, server.output()).toBe(201)
  return answer.body
}

const tracesOf = async (paymentId: string) => {
  const { rows } = await inside.sql.query("select trace from events where body like '%' || $1 || '%'", [paymentId])
  return rows.map(({ trace }) => trace)
}

// The API of OpenTelemetry itself comes with the client of Prometheus, and does nothing.
const PACKAGES = /loads @opentelemetry\/(?!api\b)/

const below = (spans: readonly CollectedSpan[], parent: CollectedSpan, name: string) =>
  spans.filter((span) => span.parentSpanId === parent.spanId && span.name === name)

test('a request is one trace from its answer through its batches to the provider and its webhooks', async () => {
  const { collector, server } = await start()
  const payment = await pay(server)
  const delivered = () =>
    collector.spans.filter(
      ({ name, attributes }) => name === 'webhook delivery' && attributes['webhook.event_type'] !== undefined,
    )
  await until('both deliveries are collected', () => delivered().length >= 2, PATIENCE_MS)
  const request = collector.spans.find(({ name }) => name === 'POST /api/v1/payments')
  if (request === undefined) throw new Error('the request left no span')
  const trace = collector.spans.filter(({ traceId }) => traceId === request.traceId)

  expect(request.attributes).toMatchObject({
    'http.request.method': 'POST',
    'http.route': '/api/v1/payments',
    'http.response.status_code': 201,
    'user.id': seller.id,
  })
  expect(request.parentSpanId).toBeUndefined()
  expect(below(trace, request, 'payments.create')).toMatchObject([{ attributes: { 'batch.size': 1 } }])
  expect(below(trace, request, 'sandbox charges create')).toMatchObject([
    { attributes: { 'provider.name': 'sandbox', 'provider.outcome': 'accepted' } },
  ])
  const [confirm] = below(trace, request, 'payments.confirm')
  if (confirm === undefined) throw new Error('what the provider answered was written in no batch of this trace')
  const [created] = below(trace, request, 'webhook delivery')
  const [paid] = below(trace, confirm, 'webhook delivery')
  expect(created?.attributes).toMatchObject({ 'webhook.event_type': 'payment.created', 'webhook.result': 'succeeded' })
  expect(paid?.attributes).toMatchObject({ 'webhook.event_type': 'payment.paid', 'http.response.status_code': 204 })

  const names = new Set(receiver.received.flatMap(({ headers }) => Object.keys(headers)))
  expect(names).not.toContain('traceparent')
  expect(payment.id).toBe(receiver.find('payment.paid')?.event.data.id)
  const collected = JSON.stringify(collector.spans)
  for (const secret of ['Ana Prado', 'tok_sandbox_0000', receiver.url, seller.token, seller.email])
    expect(collected).not.toContain(secret)
})

test('requests that are written in one batch each lead to it, and each keeps its own webhooks', async () => {
  const { collector, server } = await start()
  await Promise.all(Array.from({ length: 20 }, () => pay(server)))
  const named = (name: string) => collector.spans.filter((span) => span.name === name)
  await until('all deliveries are collected', () => named('webhook delivery').length >= 40, PATIENCE_MS)
  const requests = named('POST /api/v1/payments')
  const batches = named('payments.create')
  const reaches = (request: CollectedSpan): boolean =>
    batches.some(
      (batch) => batch.parentSpanId === request.spanId || request.links.some(({ spanId }) => spanId === batch.spanId),
    )
  expect(requests).toHaveLength(20)
  expect(batches.length).toBeLessThan(20)
  expect(requests.every(reaches)).toBe(true)
  const created = named('webhook delivery').filter(
    ({ attributes }) => attributes['webhook.event_type'] === 'payment.created',
  )
  expect(new Set(created.map(({ parentSpanId }) => parentSpanId))).toEqual(
    new Set(requests.map(({ spanId }) => spanId)),
  )
})

test('a trace is gone on with where a proxy of ours hands it on, and begins anew for strangers', async () => {
  const { collector, server } = await start({ TRUSTED_PROXIES: '127.0.0.0/8' })
  const traceparent = `00-${TRACE_ID}-b7ad6b7169203331-01`
  await pay(server, { traceparent, 'x-forwarded-for': '203.0.113.9' })
  await pay(server, { traceparent })
  const requests = () => collector.spans.filter(({ name }) => name === 'POST /api/v1/payments')
  await until('both requests are collected', () => requests().length === 2, PATIENCE_MS)
  expect(requests().filter(({ traceId }) => traceId === TRACE_ID)).toMatchObject([{ parentSpanId: 'b7ad6b7169203331' }])
})

test('the collector is sent what /metrics shows, and what the environment says of the process', async () => {
  const { collector, server } = await start({
    OTEL_SERVICE_NAME: 'payments-sao-paulo',
    OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment=test',
    OTEL_EXPORTER_OTLP_HEADERS: 'authorization=Bearer%20collector-token',
  })
  await pay(server)
  const durations = () => collector.metrics.get('http_request_duration_seconds')?.histogram.dataPoints ?? []
  const ofPayments = () =>
    durations().find(({ attributes }: { attributes: unknown }) => JSON.stringify(attributes).includes('/payments'))
  const point = await until('the duration of the request is collected', ofPayments, PATIENCE_MS)
  expect(Number(point.count)).toBe(1)
  expect(point.bucketCounts.map(Number).reduce((sum: number, count: number) => sum + count, 0)).toBe(1)
  const shown = await server.api.get('/metrics', { token: TEST_ENVIRONMENT.METRICS_TOKEN })
  const names = [...shown.text.matchAll(/^# TYPE (\S+) (?:counter|gauge|histogram)$/gm)].map(([, name]) => name)
  expect(names.length).toBeGreaterThan(30)
  const sent = new Set([...collector.metrics.keys()])
  expect(names.filter((name) => name !== undefined && !sent.has(name))).toEqual([])
  await until('a trace is collected', () => collector.resources.length > 0, PATIENCE_MS)
  expect(collector.resources[0]).toMatchObject({
    'service.name': 'payments-sao-paulo',
    'deployment.environment': 'test',
  })
  expect(collector.calls.every(({ authorization }) => authorization === 'Bearer collector-token')).toBe(true)
})

test('traces are sent as protobuf unless told otherwise, and metrics not where they are switched off', async () => {
  const { collector, server } = await start({ OTEL_EXPORTER_OTLP_PROTOCOL: '', OTEL_METRICS_EXPORTER: 'none' })
  await pay(server)
  await server.stop()
  const kinds = collector.calls.map(({ path, contentType }) => `${path} ${contentType}`)
  expect(new Set(kinds)).toEqual(new Set(['/v1/traces application/x-protobuf']))
})

test('of a share of nothing no trace is kept', async () => {
  const { collector, server } = await start({
    OTEL_TRACES_SAMPLER: 'parentbased_traceidratio',
    OTEL_TRACES_SAMPLER_ARG: '0',
  })
  const { id } = await pay(server)
  await server.stop()
  expect(collector.metrics.has('http_request_duration_seconds')).toBe(true)
  // A delivery that the test before has left goes on with its trace.
  expect(collector.spans.filter(({ name }) => name !== 'webhook delivery')).toEqual([])
  expect(await tracesOf(id)).toEqual([null, null])
})

test('without a collector none of its packages is loaded, and nothing of a trace is kept', async () => {
  const { server, collector } = await start({ OTEL_EXPORTER_OTLP_ENDPOINT: '' })
  const { id } = await pay(server)
  expect(await tracesOf(id)).toEqual([null, null])
  expect(collector.calls).toEqual([])
  expect(server.output()).not.toMatch(PACKAGES)
  const traced = await start()
  expect(traced.server.output()).toMatch(PACKAGES)
})
