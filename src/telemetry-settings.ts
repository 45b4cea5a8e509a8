export const OTLP_PROTOCOLS = ['http/protobuf', 'http/json'] as const
export const EXPORTERS = ['otlp', 'none'] as const
export const SAMPLERS = [
  'always_on',
  'always_off',
  'traceidratio',
  'parentbased_always_on',
  'parentbased_always_off',
  'parentbased_traceidratio',
] as const

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

type Variables = {
  OTEL_SDK_DISABLED: 'true' | 'false'
  OTEL_EXPORTER_OTLP_ENDPOINT?: string | undefined
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT?: string | undefined
  OTEL_EXPORTER_OTLP_METRICS_ENDPOINT?: string | undefined
  OTEL_EXPORTER_OTLP_PROTOCOL: TelemetrySettings['protocol']
  OTEL_TRACES_EXPORTER: (typeof EXPORTERS)[number]
  OTEL_METRICS_EXPORTER: (typeof EXPORTERS)[number]
  OTEL_TRACES_SAMPLER: TelemetrySettings['sampler']
  OTEL_TRACES_SAMPLER_ARG: number
  OTEL_METRIC_EXPORT_INTERVAL: number
}

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
