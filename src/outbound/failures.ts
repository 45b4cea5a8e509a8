import { undici } from '../packages-on-demand.ts'

export type FailureReason =
  | 'blocked_address'
  | 'dns'
  | 'refused'
  | 'timeout'
  | 'tls'
  | 'reset'
  | 'protocol'
  | 'too_large'
  | 'other'

/** `detail` is fit for the owner of the URL: it names no address and quotes nothing that a target said. */
export type Failure = { reason: FailureReason; detail: string }

/** The host is, or resolves to, an address that must not be called. */
export class BlockedAddressError extends Error {
  override readonly name = 'BlockedAddressError'
  readonly code = 'OUTBOUND_BLOCKED_ADDRESS'
}

/** The host's name gave no address. */
export class NameLookupError extends Error {
  override readonly name = 'NameLookupError'
  readonly code = 'OUTBOUND_NAME_LOOKUP'
}

/** The whole time of a call is used up. */
export class DeadlineError extends Error {
  override readonly name = 'DeadlineError'
  readonly code = 'OUTBOUND_DEADLINE'
}

/** The peer keeps sending interim answers (1xx) and never a final one. */
export class InterimFloodError extends Error {
  override readonly name = 'InterimFloodError'
  readonly code = 'OUTBOUND_INTERIM_FLOOD'
}

const REASON_BY_CODE: Readonly<Record<string, FailureReason>> = {
  OUTBOUND_BLOCKED_ADDRESS: 'blocked_address',
  OUTBOUND_NAME_LOOKUP: 'dns',
  OUTBOUND_DEADLINE: 'timeout',
  OUTBOUND_INTERIM_FLOOD: 'protocol',
  ECONNREFUSED: 'refused',
  EHOSTUNREACH: 'refused',
  ENETUNREACH: 'refused',
  EADDRNOTAVAIL: 'refused',
  ETIMEDOUT: 'timeout',
  UND_ERR_CONNECT_TIMEOUT: 'timeout',
  ECONNRESET: 'reset',
  EPIPE: 'reset',
  UND_ERR_SOCKET: 'reset',
  UND_ERR_HEADERS_OVERFLOW: 'too_large',
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: 'protocol',
  EPROTO: 'tls',
}

/** OpenSSL's names of what can be wrong with a certificate, and Node's own of what can be wrong with TLS. */
const TLS_CODE =
  /^(ERR_TLS_|ERR_SSL_|CERT_|CRL_|UNABLE_TO_|DEPTH_ZERO_|SELF_SIGNED_|INVALID_(CA|PURPOSE)|HOSTNAME_MISMATCH)/

const DETAIL: Readonly<Record<FailureReason, string>> = {
  blocked_address: 'The host is not on the public internet.',
  dns: 'The host name does not resolve.',
  refused: 'The host does not accept connections on this port.',
  timeout: 'The host did not answer in full within the time limit.',
  tls: 'No trusted TLS connection could be made',
  reset: 'The host closed the connection before its answer was complete.',
  protocol: 'The answer is not valid HTTP/1.1.',
  too_large: 'The headers of the answer are too large.',
  other: 'The call failed.',
}

const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : ''

/** undici reports an answer that nobody asked for by the code of a closed socket, and some parser errors by none. */
const isBadAnswer = (error: unknown): boolean => {
  const { errors } = undici()
  return (
    error instanceof errors.HTTPParserError ||
    (error instanceof errors.SocketError && /^bad (response|upgrade)$/.test(error.message))
  )
}

const reasonOf = (error: unknown, code: string): FailureReason => {
  if (isBadAnswer(error)) return 'protocol'
  if (TLS_CODE.test(code)) return 'tls'
  return REASON_BY_CODE[code] ?? 'other'
}

export const failureOf = (error: unknown): Failure => {
  const code = codeOf(error)
  const reason = reasonOf(error, code)
  return { reason, detail: reason === 'tls' ? `${DETAIL.tls} (${code}).` : DETAIL[reason] }
}

/** Whether the peer let go of the connection, as opposed to saying something wrong on it. */
export const isClosedByPeer = (error: unknown): boolean => failureOf(error).reason === 'reset'
