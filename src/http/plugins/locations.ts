import type { FastifyInstance, FastifyRequest } from 'fastify'
import fastifyPlugin from 'fastify-plugin'

declare module 'fastify' {
  interface FastifyContextConfig {
    /**
     * Where what a route creates is found: a path whose parts in braces are parameters of the request or fields of the
     * answer, like `/api/v1/users/{user.id}`. The header Location of every 201.
     */
    location?: string
  }
}

const fieldOf = (thing: unknown, name: string): unknown =>
  typeof thing === 'object' && thing !== null ? (thing as Readonly<Record<string, unknown>>)[name] : undefined

const filled = (template: string, { params }: FastifyRequest, answer: object): string =>
  template.replace(/\{([\w.]+)\}/g, (_match, path: string) =>
    String(fieldOf(params, path) ?? path.split('.').reduce<unknown>(fieldOf, answer)),
  )

/** Says with every 201 where the new thing is (RFC 9110, 10.2.2). */
export const locationsPlugin = fastifyPlugin(async (app: FastifyInstance) => {
  app.addHook<object | null>('preSerialization', (request, reply, answer, done) => {
    const { location } = request.routeOptions.config
    if (location !== undefined && answer !== null && reply.statusCode === 201) {
      void reply.header('location', filled(location, request, answer))
    }
    done(null, answer)
  })
})
