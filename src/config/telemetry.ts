import { z } from 'zod'
import { httpUrl, share, wholeNumber } from './value-types.ts'

const OTLP_PROTOCOLS = ['http/protobuf', 'http/json'] as const
const EXPORTERS = ['otlp', 'none'] as const
const SAMPLERS = [
  'always_on',
  'always_off',
  'traceidratio',
  'parentbased_always_on',
  'parentbased_always_off',
  'parentbased_traceidratio',
] as const

export const telemetryVariables = {
  OTEL_SDK_DISABLED: z.enum(['true', 'false']).default('false'),
  OTEL_EXPORTER_OTLP_ENDPOINT: httpUrl.optional(),
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: httpUrl.optional(),
  OTEL_EXPORTER_OTLP_METRICS_ENDPOINT: httpUrl.optional(),
  OTEL_EXPORTER_OTLP_PROTOCOL: z.enum(OTLP_PROTOCOLS).default('http/protobuf'),
  OTEL_EXPORTER_OTLP_HEADERS: z.string().max(4_000).optional(),
  OTEL_TRACES_EXPORTER: z.enum(EXPORTERS).default('otlp'),
  OTEL_METRICS_EXPORTER: z.enum(EXPORTERS).default('otlp'),
  OTEL_TRACES_SAMPLER: z.enum(SAMPLERS).default('parentbased_always_on'),
  OTEL_TRACES_SAMPLER_ARG: share.default(1),
  OTEL_METRIC_EXPORT_INTERVAL: wholeNumber(1_000, 3_600_000).default(60_000),
  OTEL_SERVICE_NAME: z.string().max(255).optional(),
  OTEL_RESOURCE_ATTRIBUTES: z.string().max(4_000).optional(),
}

type Variables = Readonly<z.output<z.ZodObject<typeof telemetryVariables>>>

/** What goes to a collector, and how. Headers, timeouts and certificates are read by the exporters themselves. */
export type TelemetrySettings = Readonly<{
  traces: boolean
  metrics: boolean
  protocol: (typeof OTLP_PROTOCOLS)[number]
  sampler: (typeof SAMPLERS)[number]
  /** Of traces that are kept, where the sampler goes by it. */
  ratio: number
  metricsEveryMs: number
}>

/** Undefined: no endpoint is named, and nothing is traced. */
export const telemetrySettings = (given: Variables): TelemetrySettings | undefined => {
  const { OTEL_EXPORTER_OTLP_ENDPOINT: both } = given
  const traces = given.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT ?? both
  const metrics = given.OTEL_EXPORTER_OTLP_METRICS_ENDPOINT ?? both
  const settings = {
    traces: traces !== undefined && given.OTEL_TRACES_EXPORTER === 'otlp',
    metrics: metrics !== undefined && given.OTEL_METRICS_EXPORTER === 'otlp',
    protocol: given.OTEL_EXPORTER_OTLP_PROTOCOL,
    sampler: given.OTEL_TRACES_SAMPLER,
    ratio: given.OTEL_TRACES_SAMPLER_ARG,
    metricsEveryMs: given.OTEL_METRIC_EXPORT_INTERVAL,
  }
  const isOn = given.OTEL_SDK_DISABLED === 'false' && (settings.traces || settings.metrics)
  return isOn ? Object.freeze(settings) : undefined
}
