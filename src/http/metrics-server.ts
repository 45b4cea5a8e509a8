import fastify from 'fastify'
import type { Metrics } from '../telemetry/metrics.ts'
import { closingPlugin } from './plugins/closing.ts'
import { errorsPlugin } from './plugins/errors.ts'
import { healthPlugin } from './plugins/health.ts'
import { metricsPlugin } from './plugins/metrics.ts'

type Options = { host: string; port: number; metrics: Metrics; isReady: () => Promise<boolean> }

/** Metrics and health on a port of their own, which no stranger has to reach. */
export const createMetricsServer = ({ host, port, metrics, isReady }: Options) => {
  const app = fastify({ forceCloseConnections: true })
  void app.register(errorsPlugin)
  void app.register(closingPlugin)
  void app.register(healthPlugin, { isReady })
  void app.register(metricsPlugin, { metrics })
  return {
    listen: async (): Promise<void> => {
      await app.listen({ host, port })
    },
    close: async (): Promise<void> => {
      await app.close()
    },
  }
}
