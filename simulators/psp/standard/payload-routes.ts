import { z } from 'zod'
import type { Bank } from '../bank.ts'
import { createApiServer } from '../http/api.ts'
import type { ApiServer } from '../http/operation.ts'
import { payloadAt, type Signer } from './payloads.ts'

const params = z.object({ token: z.string().max(64) })
const query = z.object({
  DPP: z.string().max(10).optional(),
  codMun: z
    .string()
    .regex(/^\d{7}$/)
    .optional(),
})

const config = (name: string) => ({
  operation: { name: `payload.${name}`, invalid: { type: 'CobPayloadOperacaoInvalida', thing: 'payload' } },
})

/** The HTTPS server without client certificates, at which payers' banks read what a BR Code stands for, signed. */
export const createPublicServer = (bank: Bank, tls: { key: string; cert: string }, signer: Signer): ApiServer => {
  const open = { ...tls, ca: undefined, requestCert: false, rejectUnauthorized: false }
  const app = createApiServer(bank, open, 0)

  app.get('/qr/v2/:token', { config: config('cob'), schema: { params } }, async (request, reply) =>
    reply.type('application/jose').send(await signer.sign(payloadAt(bank, 'cob', request.params.token))),
  )

  app.get(
    '/qr/v2/cobv/:token',
    { config: config('cobv'), schema: { params, querystring: query } },
    async (request, reply) => {
      const payload = payloadAt(bank, 'cobv', request.params.token, request.query.DPP)
      return reply.type('application/jose').send(await signer.sign(payload))
    },
  )

  app.get('/.well-known/jwks.json', { config: config('keys') }, () => signer.keys())
  return app
}
