import { authErrors, requestErrors } from '../../errors.ts'
import type { IntegrationLoginBody } from './integrations.schemas.ts'

/** Who asks for a token, how they prove it, and for which scopes: absent, for all that they have. */
export type TokenRequest = { clientId: string; clientSecret: string; scopes: readonly string[] | undefined }

/**
 * Whether a request, as it was sent, is of a kind that was answered in camel case before: a form, or those names in JSON.
 * No other answer has them: strict clients take no field that the document does not name.
 */
export const isOldRequest = (body: unknown, isForm: boolean): boolean =>
  isForm || (typeof body === 'object' && body !== null && ('clientId' in body || 'clientSecret' in body))

type Fault = readonly [path: string, code: string, message: string]

const refused = (...faults: Fault[]) =>
  requestErrors.failed({ errors: faults.map(([path, code, message]) => ({ in: 'body', path, code, message })) })

/** Reads a form. Throws validation.failed for a field that stands twice (RFC 6749, 3.2). */
export const parseTokenForm = (text: string): Record<string, string> => {
  const fields = new Map<string, string>()
  for (const [name, value] of new URLSearchParams(text)) {
    if (fields.has(name)) throw refused([name, 'repeated_field', 'This field stands more than once.'])
    fields.set(name, value)
  }
  return Object.fromEntries(fields)
}

// RFC 6749, 2.3.1: id and secret are written as in a form before they are joined.
const decoded = (text: string): string => {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '))
  } catch {
    return text
  }
}

type Client = Pick<TokenRequest, 'clientId' | 'clientSecret'>

const BASIC = /^basic(?: |$)/i

/** The client of an Authorization header of the scheme Basic (RFC 7617). Throws auth.credentials_invalid for a broken one. */
const basicClient = (authorization: string): Client => {
  const pair = Buffer.from(authorization.slice('Basic '.length), 'base64').toString()
  const colon = pair.indexOf(':')
  if (colon < 1) throw authErrors.credentials_invalid()
  return { clientId: decoded(pair.slice(0, colon)), clientSecret: decoded(pair.slice(colon + 1)) }
}

const ONE_WAY = 'Send the credentials in the header Authorization or in the body, not in both.'
const MISSING = 'Send the credentials in the header Authorization: Basic, or as client_id and client_secret.'

const bodyClient = ({ client_id: clientId, client_secret: clientSecret }: IntegrationLoginBody): Client => {
  if (clientId !== undefined && clientSecret !== undefined) return { clientId, clientSecret }
  const missing = [
    ...(clientId === undefined ? ['client_id'] : []),
    ...(clientSecret === undefined ? ['client_secret'] : []),
  ]
  throw refused(...missing.map((path): Fault => [path, 'required', MISSING]))
}

const clientOf = (authorization: string | undefined, body: IntegrationLoginBody): Client => {
  if (authorization === undefined || !BASIC.test(authorization)) return bodyClient(body)
  // RFC 6749, 2.3: one way of authentication a request. The id alone may stand in the body too.
  if (body.client_secret !== undefined) throw refused(['client_secret', 'ambiguous', ONE_WAY])
  const client = basicClient(authorization)
  if (body.client_id !== undefined && body.client_id !== client.clientId) {
    throw refused(['client_id', 'ambiguous', ONE_WAY])
  }
  return client
}

/**
 * A token request (RFC 6749, 4.4.2) of a header and a body. Throws auth.grant_unsupported, validation.failed and
 * auth.credentials_invalid.
 */
export const tokenRequestOf = (authorization: string | undefined, body: IntegrationLoginBody): TokenRequest => {
  const { grant_type: grant = 'client_credentials', scope } = body
  if (grant !== 'client_credentials') {
    const message = 'The only grant is client_credentials.'
    throw authErrors.grant_unsupported({ errors: [{ in: 'body', path: 'grant_type', code: 'invalid_value', message }] })
  }
  const scopes = scope?.split(' ').filter((name) => name !== '')
  return { ...clientOf(authorization, body), scopes: scopes?.length === 0 ? undefined : scopes }
}
