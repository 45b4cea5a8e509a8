import type { Pool } from 'pg'
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import type { GaugeSource } from './gauge.ts'

const DURATION_BUCKETS_SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

/** How busy the connections to the database are. */
export const poolGauge = (pool: Pool): GaugeSource => ({
  name: 'database_pool_connections',
  help: 'Connections to the database by state, and requests that wait for one.',
  label: 'state',
  read: () => ({
    open: pool.totalCount,
    idle: pool.idleCount,
    waiting: pool.waitingCount,
  }),
})

const register = (registry: Registry, { name, help, label, read }: GaugeSource, failures: Counter): void => {
  const gauge: Gauge = new Gauge({
    name,
    help,
    labelNames: label === undefined ? [] : [label],
    registers: [registry],
    async collect() {
      // A gauge that cannot be read is left out: while the database is away, the others are what is looked at.
      gauge.reset()
      if (label === undefined) gauge.remove()
      try {
        const values = await read()
        if (typeof values === 'number') return gauge.set(values)
        for (const [labelValue, value] of Object.entries(values)) gauge.set({ [label ?? 'kind']: labelValue }, value)
      } catch {
        failures.inc({ gauge: name })
      }
    },
  })
}

/** The process's own metrics, the requests' durations by route, and the given gauges, for Prometheus. */
export const createMetrics = (sources: readonly GaugeSource[]) => {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  const failures = new Counter({
    name: 'metrics_read_failures_total',
    help: 'Gauges that could not be read when they were asked for, by name.',
    labelNames: ['gauge'],
    registers: [registry],
  })
  for (const source of sources) register(registry, source, failures)
  const durations = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'Durations of requests by route and status.',
    labelNames: ['method', 'route', 'status'],
    buckets: DURATION_BUCKETS_SECONDS,
    registers: [registry],
  })
  return {
    contentType: registry.contentType,
    text: () => registry.metrics(),
    /** The same, not written out. */
    read: () => registry.getMetricsAsJSON(),
    observe: (method: string, route: string, status: number, seconds: number) =>
      durations.observe({ method, route, status: String(status) }, seconds),
  }
}

export type Metrics = ReturnType<typeof createMetrics>
