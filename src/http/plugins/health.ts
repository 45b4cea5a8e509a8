import type { FastifyInstance } from 'fastify'
import type { Metrics } from '../metrics.ts'
import { unavailable } from './errors.ts'

type Options = { metrics: Metrics; isReady: () => Promise<boolean> }

const PROBE = { config: { access: 'public', rateLimit: 'none' }, schema: { hide: true } } as const

/** What an orchestrator and Prometheus ask, outside of the API. */
export const healthPlugin = async (app: FastifyInstance, { metrics, isReady }: Options): Promise<void> => {
  app.get('/health/live', PROBE, async () => ({ status: 'ok' }))

  app.get('/health/ready', PROBE, async () => {
    if (app.isClosing() || !(await isReady())) throw unavailable()
    return { status: 'ok' }
  })

  app.get('/metrics', PROBE, async (_request, reply) => reply.type(metrics.contentType).send(await metrics.text()))
}
