import fastify from 'fastify'
import type { Metrics } from '../telemetry/metrics.ts'
import { closingPlugin } from './plugins/closing.ts'
import { errorsPlugin } from './plugins/errors.ts'
import { healthPlugin } from './plugins/health.ts'
import { metricsPlugin } from './plugins/metrics.ts'
import { httpOrHttps, type ServerTls } from './server-tls.ts'

type Options = {
  host: string
  port: number
  tls: ServerTls | undefined
  metrics: Metrics
  isReady: () => Promise<boolean>
}

/** Metrics and health on a port of their own, which no stranger has to reach. */
export const createMetricsServer = ({ host, port, tls, metrics, isReady }: Options) => {
  const app = fastify({ forceCloseConnections: true, ...httpOrHttps({}, tls) })
  tls?.follow(app.server)
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
