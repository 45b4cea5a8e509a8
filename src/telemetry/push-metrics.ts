import type { HrTime } from '@opentelemetry/api'
import type { Resource } from '@opentelemetry/resources'
import { MeterProvider, type MetricProducer, PeriodicExportingMetricReader } from '@opentelemetry/sdk-metrics'
import type { TelemetrySettings } from '../config/telemetry.ts'
import { VERSION } from '../version.ts'
import type { Metrics } from './metrics.ts'
import { metricDataOf } from './otlp-metrics.ts'

const hrTime = (ms: number): HrTime => [Math.floor(ms / 1_000), Math.round((ms % 1_000) * 1e6)]

// What /metrics shows is all there is: the same numbers, sent instead of fetched.
const producerOf = (metrics: Metrics, resource: Resource): MetricProducer => {
  const startTime = hrTime(performance.timeOrigin)
  return {
    collect: async () => {
      const read = await metrics.read()
      const period = { startTime, endTime: hrTime(Date.now()) }
      const scope = { name: 'payment-platform', version: VERSION }
      const scopeMetrics = [{ scope, metrics: read.flatMap((metric) => metricDataOf(metric, period) ?? []) }]
      return { resourceMetrics: { resource, scopeMetrics }, errors: [] }
    },
  }
}

const exporterOf = async (protocol: TelemetrySettings['protocol']) => {
  const { OTLPMetricExporter } =
    protocol === 'http/json'
      ? await import('@opentelemetry/exporter-metrics-otlp-http')
      : await import('@opentelemetry/exporter-metrics-otlp-proto')
  return new OTLPMetricExporter()
}

/** Sends all metrics to the collector of the environment, every so often. Answers how to end that. */
export const pushMetrics = async (
  metrics: Metrics,
  { protocol, metricsEveryMs }: TelemetrySettings,
  resource: Resource,
): Promise<() => Promise<void>> => {
  const reader = new PeriodicExportingMetricReader({
    exporter: await exporterOf(protocol),
    exportIntervalMillis: metricsEveryMs,
    exportTimeoutMillis: Math.min(metricsEveryMs, 10_000),
    metricProducers: [producerOf(metrics, resource)],
  })
  const provider = new MeterProvider({ resource, readers: [reader] })
  return () => provider.shutdown()
}
