import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

type Attribute = { key: string; value: Record<string, unknown> }

/** A span as OTLP's JSON has it, its attributes as an object. */
export type CollectedSpan = {
  traceId: string
  spanId: string
  parentSpanId?: string
  name: string
  kind: number
  links: { traceId: string; spanId: string }[]
  status: { code?: number }
  attributes: Record<string, unknown>
}

type Body = {
  resourceSpans?: { resource: { attributes: Attribute[] }; scopeSpans: { spans: CollectedSpan[] }[] }[]
  // biome-ignore lint/suspicious/noExplicitAny: of metrics each test looks at what it is about.
  resourceMetrics?: { resource: { attributes: Attribute[] }; scopeMetrics: { metrics: any[] }[] }[]
}

const fieldsOf = (attributes: readonly Attribute[] = []): Record<string, unknown> =>
  Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]]))

/** A collector of OpenTelemetry on loopback, which takes OTLP over HTTP. What comes as protobuf is only counted. */
export const startOtlpCollector = async () => {
  const spans: CollectedSpan[] = []
  const resources: Record<string, unknown>[] = []
  // biome-ignore lint/suspicious/noExplicitAny: as above.
  const metrics = new Map<string, any>()
  const calls: { path: string; contentType: string; authorization: string; bytes: number }[] = []

  const take = ({ resourceSpans = [], resourceMetrics = [] }: Body): void => {
    for (const { resource, scopeSpans } of resourceSpans) {
      resources.push(fieldsOf(resource.attributes))
      for (const span of scopeSpans.flatMap((scope) => scope.spans))
        spans.push({ ...span, links: span.links ?? [], attributes: fieldsOf(span.attributes as never) })
    }
    for (const metric of resourceMetrics.flatMap(({ scopeMetrics }) => scopeMetrics.flatMap((scope) => scope.metrics)))
      metrics.set(metric.name, metric)
  }

  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const { 'content-type': contentType = '', authorization = '' } = request.headers
      const body = Buffer.concat(chunks)
      calls.push({ path: request.url ?? '', contentType, authorization, bytes: body.length })
      if (contentType === 'application/json') take(JSON.parse(body.toString()))
      response
        .writeHead(200, { 'content-type': contentType })
        .end(contentType === 'application/json' ? '{}' : undefined)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    spans,
    resources,
    metrics,
    calls,
    close: () =>
      new Promise<void>((resolve) => {
        server.closeAllConnections()
        server.close(() => resolve())
      }),
  }
}
