import type { FastifyInstance } from 'fastify'
import fastifyPlugin from 'fastify-plugin'
import { unavailable } from './errors.ts'

declare module 'fastify' {
  interface FastifyInstance {
    /**
     * Has the server serve on, but say that it is not ready, and end each connection with its next answer: balancers then
     * send their requests elsewhere before it closes.
     */
    leave: () => void
    /** Whether the server is about to close, or closes already: it is not ready for anybody new. */
    isLeaving: () => boolean
    /** Whether the server is being closed: work in flight is finished, nothing new is begun. */
    isClosing: () => boolean
  }
}

/** While the server closes, new requests are refused with the time to try again, and every answer ends its connection. */
export const closingPlugin = fastifyPlugin(async (app: FastifyInstance) => {
  let leaving = false
  let closing = false
  app.decorate('leave', () => {
    leaving = true
  })
  app.decorate('isLeaving', () => leaving)
  app.decorate('isClosing', () => closing)
  app.addHook('preClose', async () => {
    leaving = true
    closing = true
  })
  app.addHook('onRequest', (_request, _reply, done) => done(closing ? unavailable() : undefined))
  app.addHook('onSend', (_request, reply, _payload, done) => {
    if (leaving) void reply.header('connection', 'close')
    done()
  })
  // A stream whose head was sent before: its caller was not told, and would keep the connection, and us, for a minute.
  app.addHook('onResponse', (request, _reply, done) => {
    if (closing) request.raw.socket.end()
    done()
  })
})
