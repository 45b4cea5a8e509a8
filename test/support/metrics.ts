import { createMetrics } from '../../src/telemetry/metrics.ts'
import type { TestApp } from './app.ts'

/** What `/metrics` would say at this moment, whatever was collected in the second before. */
export const readMetrics = ({ services }: Pick<TestApp, 'services'>): Promise<string> =>
  createMetrics(services.gauges).text()
