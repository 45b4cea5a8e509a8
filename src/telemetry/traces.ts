import {
  type Context,
  isSpanContextValid,
  type Span as LibrarySpan,
  ROOT_CONTEXT,
  type SpanContext,
  SpanKind,
  SpanStatusCode,
  TraceFlags,
  trace,
} from '@opentelemetry/api'
import type { Resource } from '@opentelemetry/resources'
import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  BatchSpanProcessor,
  ParentBasedSampler,
  type Sampler,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace'
import type { TelemetrySettings } from '../config/telemetry.ts'
import type { Span, SpanFields, Tracer } from '../tracing.ts'
import { VERSION } from '../version.ts'

const KINDS = { server: SpanKind.SERVER, client: SpanKind.CLIENT, internal: SpanKind.INTERNAL } as const

/** Some seconds of a busy process: what comes while they wait for the collector is dropped. */
const WAITING_MAX = 16_384
const SENT_TOGETHER_MAX = 1_024
const SENT_EVERY_MS = 2_000

const samplerOf = ({ sampler, ratio }: TelemetrySettings): Sampler => {
  const [, parentBased, name] = /^(parentbased_)?(.*)$/.exec(sampler) ?? []
  const roots = {
    always_on: () => new AlwaysOnSampler(),
    always_off: () => new AlwaysOffSampler(),
    traceidratio: () => new TraceIdRatioBasedSampler(ratio),
  }
  const root = roots[name as keyof typeof roots]()
  return parentBased === undefined ? root : new ParentBasedSampler({ root })
}

const TRACEPARENT = /^(?!ff)[0-9a-f]{2}-([0-9a-f]{32})-([0-9a-f]{16})-[0-9a-f]([0-9a-f])(?:-|$)/

// A name may come from anywhere: one that makes no sense is as good as none.
const contextOf = (name: string): SpanContext | undefined => {
  const [, traceId, spanId, flags] = TRACEPARENT.exec(name) ?? []
  if (traceId === undefined || spanId === undefined) return undefined
  const traceFlags = Number.parseInt(flags ?? '0', 16) & TraceFlags.SAMPLED
  const context = { traceId, spanId, traceFlags, isRemote: true }
  return isSpanContextValid(context) ? context : undefined
}

/** A span of the library behind what the platform knows of one. */
class TracedSpan implements Span {
  readonly #span: LibrarySpan
  readonly context: SpanContext

  constructor(span: LibrarySpan) {
    this.#span = span
    this.context = span.spanContext()
  }

  get name(): string {
    const { traceId, spanId, traceFlags } = this.context
    return `00-${traceId}-${spanId}-0${traceFlags & TraceFlags.SAMPLED}`
  }

  get isKept(): boolean {
    return this.#span.isRecording()
  }

  note(fields: SpanFields): void {
    this.#span.setAttributes({ ...fields })
  }

  link(other: Span): void {
    if (other instanceof TracedSpan) this.#span.addLink({ context: other.context })
  }

  fail(reason: string): void {
    this.#span.setAttribute('error.type', reason).setStatus({ code: SpanStatusCode.ERROR })
  }

  end(): void {
    this.#span.end()
  }
}

const parentOf = (parent: Span | string | undefined): Context => {
  if (parent === undefined) return ROOT_CONTEXT
  const context = parent instanceof TracedSpan ? parent.context : contextOf(String(parent))
  return context === undefined ? ROOT_CONTEXT : trace.setSpanContext(ROOT_CONTEXT, context)
}

const exporterOf = async (protocol: TelemetrySettings['protocol']) => {
  const { OTLPTraceExporter } =
    protocol === 'http/json'
      ? await import('@opentelemetry/exporter-trace-otlp-http')
      : await import('@opentelemetry/exporter-trace-otlp-proto')
  return new OTLPTraceExporter()
}

/** Traces that go to the collector of the environment, as the sampler of the environment chooses. */
export const createTraces = async (settings: TelemetrySettings, resource: Resource) => {
  const processor = new BatchSpanProcessor({
    exporter: await exporterOf(settings.protocol),
    maxQueueSize: WAITING_MAX,
    maxExportBatchSize: SENT_TOGETHER_MAX,
    scheduledDelayMillis: SENT_EVERY_MS,
  })
  const provider = new TracerProvider({ resource, sampler: samplerOf(settings), spanProcessors: [processor] })
  const spans = provider.getTracer('payment-platform', VERSION)

  const tracer: Tracer = ({ name, kind, fields, parent }) =>
    new TracedSpan(spans.startSpan(name, { kind: KINDS[kind], attributes: { ...fields } }, parentOf(parent)))
  return { tracer, shutdown: () => provider.shutdown() }
}
