import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import type { Callback } from './provider.port.ts'
import type { ProviderEventsService } from './provider-events.service.ts'

const BODY_LIMIT_BYTES = 256 * 1_024

const callbackParams = z.strictObject({
  provider: z
    .string()
    .min(1)
    .max(40)
    .meta({ description: 'Name of the provider.', examples: ['sandbox'] }),
})

/** Where payment providers call back. The body is kept as it came, byte for byte: that is what they signed. */
export const providerCallbacksPlugin: FastifyPluginAsyncZod<{ providerEvents: ProviderEventsService }> = async (
  app,
  { providerEvents },
) => {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser(
    '*',
    { parseAs: 'buffer', bodyLimit: BODY_LIMIT_BYTES },
    async (_request: unknown, body: Buffer) => body,
  )
  // What is being worked on is finished before the database goes away.
  app.addHook('preClose', () => providerEvents.idle())

  type Received = {
    params: { provider: string; '*'?: string }
    headers: Callback['headers']
    query: unknown
    body: unknown
  }

  const receive = async ({ params, headers, query, body }: Received) => {
    const text = Buffer.isBuffer(body) ? body.toString('utf8') : ''
    await providerEvents.receive(params.provider, { headers, query: query as Callback['query'], body: text })
    return {}
  }

  // A provider calls from few addresses, and what it says must not wait: its signature is the guard here.
  const config = {
    access: 'public',
    rateLimit: 'none',
    errors: ['callback.provider_unknown', 'callback.signature_invalid'],
  } as const

  // Banks add a path of their own to the address that they are given, and mean the same by it.
  app.post('/:provider/*', { config, schema: { hide: true } }, (request) => receive(request as Received))

  app.post(
    '/:provider',
    {
      config,
      schema: {
        operationId: 'receiveCallback',
        summary: 'Receive a callback of a payment provider',
        description:
          'For payment providers, who sign it in their own way. Answered as soon as it is stored. Addresses below it are the same.',
        tags: ['Callbacks'],
        params: callbackParams,
        response: { 200: z.object({}).meta({ description: 'Stored.' }) },
      },
    },
    (request) => receive(request),
  )
}
