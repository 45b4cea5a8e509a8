import type { FastifyInstance } from 'fastify'
import fastifyPlugin from 'fastify-plugin'
import { unavailable } from './errors.ts'

declare module 'fastify' {
  interface FastifyInstance {
    /** Whether the server is being closed: work in flight is finished, nothing new is begun. */
    isClosing: () => boolean
  }
}

/** While the server closes, new requests are refused with the time to try again, and every answer ends its connection. */
export const closingPlugin = fastifyPlugin(async (app: FastifyInstance) => {
  let closing = false
  app.decorate('isClosing', () => closing)
  app.addHook('preClose', async () => {
    closing = true
  })
  app.addHook('onRequest', (_request, _reply, done) => done(closing ? unavailable() : undefined))
  app.addHook('onSend', (_request, reply, _payload, done) => {
    if (closing) void reply.header('connection', 'close')
    done()
  })
})
