import type { FastifyRequest } from 'fastify'
import { z } from 'zod'
import type { Bank } from '../bank.ts'
import type { Merchant } from '../certificates/folder.ts'
import { certificateOwner } from '../http/authentication.ts'
import type { ApiServer } from '../http/operation.ts'
import { TokenRefusal } from '../http/problems.ts'
import type { ClientAuthentication } from '../profiles.ts'
import { issueToken } from './tokens.ts'

const tokenBody = z.object({
  grant_type: z.literal('client_credentials'),
  client_id: z.string().max(200).optional(),
  client_secret: z.string().max(200).optional(),
  scope: z.string().max(2_000).optional(),
})

type TokenBody = z.infer<typeof tokenBody>
type Credentials = { clientId: string; clientSecret: string | undefined }

const basicCredentials = ({ headers }: FastifyRequest): Credentials | undefined => {
  const [, encoded] = /^Basic (\S+)$/i.exec(headers.authorization ?? '') ?? []
  if (encoded === undefined) return undefined
  const text = Buffer.from(encoded, 'base64').toString()
  const colon = text.indexOf(':')
  return colon < 0 ? undefined : { clientId: text.slice(0, colon), clientSecret: text.slice(colon + 1) }
}

const credentialsOf = (request: FastifyRequest, body: TokenBody, by: ClientAuthentication): Credentials | undefined => {
  if (by === 'basic') return basicCredentials(request)
  if (body.client_id === undefined) return undefined
  return { clientId: body.client_id, clientSecret: by === 'form' ? body.client_secret : undefined }
}

const invalidClient = (description: string): TokenRefusal => new TokenRefusal(401, 'invalid_client', description)

const clientOf = (request: FastifyRequest, body: TokenBody, { merchants, profile }: Bank): Merchant => {
  const by = profile.clientAuthentication
  const credentials = credentialsOf(request, body, by)
  if (credentials === undefined) throw invalidClient(`Este PSP espera as credenciais por ${by}.`)
  const merchant = merchants.find(({ clientId }) => clientId === credentials.clientId)
  const isKnown = merchant !== undefined && (by === 'id' || merchant.clientSecret === credentials.clientSecret)
  if (!isKnown) throw invalidClient('Credenciais inválidas.')
  if (certificateOwner(request) !== merchant.id) throw invalidClient('O certificado pertence a outro cliente.')
  return merchant
}

/** `POST` at the profile's token address: OAuth 2 client credentials, from a form or, as Efí's clients send it, JSON. */
export const tokenRoutes = (app: ApiServer, bank: Bank): void => {
  app.post(bank.profile.tokenPath, { config: { operation: { name: 'token' } } }, async (request) => {
    const body = tokenBody.safeParse(request.body)
    if (!body.success) throw new TokenRefusal(400, 'unsupported_grant_type', 'Envie grant_type=client_credentials.')
    const merchant = clientOf(request, body.data, bank)
    const token = issueToken(bank, merchant.id, body.data.scope?.split(/\s+/).filter(Boolean) ?? [])
    if (token === undefined) throw new TokenRefusal(400, 'invalid_scope', 'Nenhum dos escopos está liberado.')
    return token
  })
}
