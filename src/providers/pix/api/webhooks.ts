/** Where the PSP calls us back: `PUT`, `GET` and `DELETE /webhook/{chave}`. Callbacks then go to `{url}/pix`. */
import { z } from 'zod'
import { type Call, type CallOptions, nothing } from './calls/call.ts'
import { orNull } from './forms/answers.ts'
import { pathPart } from './forms/identifiers.ts'
import { instantSchema } from './forms/instants.ts'
import type { Outcome } from './outcome.ts'
import type { Profile } from './profiles.ts'

const webhookSchema = z
  .object({ webhookUrl: z.string().max(2_048), criacao: orNull(instantSchema) })
  .transform(({ webhookUrl, criacao }) => ({ url: webhookUrl, createdAt: criacao }))

/** An address that is registered for a key. It may hold a secret: not for a log. */
export type PixWebhook = z.infer<typeof webhookSchema>

export type WebhookOptions = CallOptions & {
  /**
   * Asks for callbacks also where our side does not ask for the PSP's certificate, as behind a proxy. Without effect
   * where the profile has no such thing.
   */
  skipMtlsChecking?: boolean | undefined
}

export type PixWebhooks = ReturnType<typeof createWebhooks>

export const createWebhooks = (call: Call, { pathOf, skipsMtlsChecking }: Profile) => {
  const pathTo = (key: string): string => pathOf(`/webhook/${pathPart('key', key)}`)

  return {
    /** Registers an address, in place of the one before. Efí tries it first. */
    put: (
      key: string,
      url: string,
      { skipMtlsChecking, ...options }: WebhookOptions = {},
    ): Promise<Outcome<undefined>> =>
      call(
        {
          ...{ name: 'webhook.put', capability: 'webhooks', method: 'PUT', path: pathTo(key) },
          headers:
            skipsMtlsChecking && skipMtlsChecking !== undefined
              ? { 'x-skip-mtls-checking': String(skipMtlsChecking) }
              : {},
          body: { webhookUrl: url },
          isRepeatable: true,
          answer: nothing,
        },
        options,
      ),

    /** The registered address; `missing` where there is none. */
    get: (key: string, options?: CallOptions): Promise<Outcome<PixWebhook>> =>
      call(
        {
          ...{ name: 'webhook.get', capability: 'webhooks', method: 'GET', path: pathTo(key) },
          isRepeatable: true,
          answer: webhookSchema,
        },
        options,
      ),

    /** Takes the address away; `missing` where there is none. */
    remove: (key: string, options?: CallOptions): Promise<Outcome<undefined>> =>
      call(
        {
          ...{ name: 'webhook.delete', capability: 'webhooks', method: 'DELETE', path: pathTo(key) },
          isRepeatable: false,
          answer: nothing,
        },
        options,
      ),
  }
}
