/** Connections with one client certificate, and the tokens that were fetched over them. */

import type { Identity } from '../../../../crypto/certificate-files.ts'
import { type ConnectionLimits, type Connections, createConnections } from '../transport/connections.ts'
import { createTokenCache, type TokenCache } from './token-cache.ts'
import { createTokenRequest, type TokenOptions } from './token-request.ts'

export type Session = Connections & { tokens: TokenCache }

type Options = { limits: ConnectionLimits; token: TokenOptions; monotonicMs: () => number }

/**
 * A renewed certificate begins a new session. PSPs may bind a token to the certificate that it was asked for with
 * (RFC 8705), so that tokens are not carried over.
 */
export const createSession = (identity: Identity, { limits, token, monotonicMs }: Options): Session => {
  const connections = createConnections(identity, limits)
  const fetchToken = createTokenRequest(token, connections.send)
  return { ...connections, tokens: createTokenCache({ fetchToken, monotonicMs }) }
}
