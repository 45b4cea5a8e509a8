import type { FastifyInstance } from 'fastify'
import { unavailable } from './errors.ts'

type Options = { isReady: () => Promise<boolean> }

const PROBE = { config: { access: 'public', rateLimit: 'none' }, schema: { hide: true } } as const

/** What an orchestrator asks, outside of the API. */
export const healthPlugin = async (app: FastifyInstance, { isReady }: Options): Promise<void> => {
  app.get('/health/live', PROBE, async () => ({ status: 'ok' }))

  app.get('/health/ready', PROBE, async () => {
    if (app.isLeaving() || !(await isReady())) throw unavailable()
    return { status: 'ok' }
  })
}
