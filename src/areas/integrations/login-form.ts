import { requestErrors } from '../../errors.ts'

const NAMES: ReadonlyMap<string, string> = new Map([
  ['client_id', 'clientId'],
  ['client_secret', 'clientSecret'],
])

const refused = (path: string, code: string, message: string) =>
  requestErrors.failed({ errors: [{ in: 'body', path, code, message }] })

/**
 * Reads an OAuth 2 token request (RFC 6749, 4.4.2) as a login: the client's id and secret under the standard's names
 * or ours. `scope` is left aside, as 3.3 allows: a token has the scopes of its credentials, and the answer names them.
 * Throws validation.failed for another grant and for a field that stands twice, which 3.2 forbids.
 */
export const parseLoginForm = (text: string): Record<string, string> => {
  const fields = new Map<string, string>()
  for (const [name, value] of new URLSearchParams(text)) {
    const field = NAMES.get(name) ?? name
    if (fields.has(field)) throw refused(name, 'repeated_field', 'This field stands more than once.')
    fields.set(field, value)
  }
  const { grant_type: grantType, scope: _scope, ...login } = Object.fromEntries(fields)
  if (grantType !== undefined && grantType !== 'client_credentials') {
    throw refused('grant_type', 'invalid_value', 'The only grant is client_credentials.')
  }
  return login
}

type Answer = { accessToken: string; tokenType: 'Bearer'; expiresIn: number; scope: string }

/** The answer to a form also has the names of RFC 6749, 5.1, so that OAuth 2 libraries find their way. */
export const loginAnswer = ({ scope, ...answer }: Answer, isForm: boolean) =>
  isForm
    ? {
        ...answer,
        access_token: answer.accessToken,
        token_type: answer.tokenType,
        expires_in: answer.expiresIn,
        scope,
      }
    : answer
