import { randomUUID } from 'node:crypto'
import { DiagLogLevel, diag } from '@opentelemetry/api'
import { detectResources, envDetector, type Resource, resourceFromAttributes } from '@opentelemetry/resources'
import type { FastifyBaseLogger } from 'fastify'
import type { TelemetrySettings } from '../config/telemetry.ts'
import { traceWith } from '../tracing.ts'
import { VERSION } from '../version.ts'
import type { Metrics } from './metrics.ts'
import { pushMetrics } from './push-metrics.ts'
import { createTraces } from './traces.ts'

// Loaded only where a collector is named: the packages would cost every other process memory and time to start.

/** What is not sent within this time at the end is lost. */
const FLUSH_WITHIN_MS = 2_000

// Several processes that count the same are told apart by their instance.
const resourceOf = (): Resource =>
  resourceFromAttributes({
    'service.name': 'payment-platform',
    'service.version': VERSION,
    'service.instance.id': randomUUID(),
  }).merge(detectResources({ detectors: [envDetector] }))

/** Sends traces and metrics to the collector that the environment names, from now on. */
export const startTelemetry = async (settings: TelemetrySettings, logger: Pick<FastifyBaseLogger, 'warn'>) => {
  // A collector that is away is no reason for more than a line.
  const warn = (message: string, ...details: unknown[]): void =>
    logger.warn({ details: details.map(String) }, `telemetry: ${message}`)
  const quiet = (): void => undefined
  diag.setLogger({ error: warn, warn, info: quiet, debug: quiet, verbose: quiet }, DiagLogLevel.WARN)
  const resource = resourceOf()
  const ends: (() => Promise<void>)[] = []
  if (settings.traces) {
    const traces = await createTraces(settings, resource)
    traceWith(traces.tracer)
    ends.push(traces.shutdown)
  }
  return {
    /** Sends what /metrics shows, every so often. */
    push: async (metrics: Metrics): Promise<void> => {
      if (settings.metrics) ends.push(await pushMetrics(metrics, settings, resource))
    },
    stop: async (): Promise<void> => {
      traceWith(undefined)
      const flushed = Promise.allSettled(ends.map((end) => end()))
      await Promise.race([flushed, new Promise((resolve) => setTimeout(resolve, FLUSH_WITHIN_MS).unref())])
    },
  }
}

export type Telemetry = Awaited<ReturnType<typeof startTelemetry>>
