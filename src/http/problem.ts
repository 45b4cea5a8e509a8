import type { FastifyReply } from 'fastify'
import { type AppError, titleOf } from '../errors.ts'

export const PROBLEM_TYPE = 'application/problem+json; charset=utf-8'

/** The body of a refusal: RFC 9457, in the two shapes of the interface. */
export const problemBody = ({ code, status, message, extras }: AppError, requestId: string) => {
  const common = { title: titleOf(status), status, detail: message, code, requestId: extras.requestId ?? requestId }
  if (status === 401) return common
  return { type: `/errors/${code}`, ...common, ...(extras.errors ? { errors: extras.errors } : {}) }
}

const BEARER: Readonly<Record<string, string>> = {
  'auth.token_invalid': 'Bearer error="invalid_token"',
  'auth.token_expired': 'Bearer error="invalid_token", error_description="expired"',
  'auth.scope_missing': 'Bearer error="insufficient_scope"',
}

/** The challenge of RFC 6750: every 401 has one, and a 403 where another scope would help. */
const challengeOf = ({ code, status }: AppError): string | undefined => {
  if (status !== 401 && status !== 403) return undefined
  return BEARER[code] ?? (status === 401 ? 'Bearer' : undefined)
}

/** Answers a request with a refusal. */
export const sendProblem = (reply: FastifyReply, error: AppError): FastifyReply => {
  const challenge = challengeOf(error)
  if (challenge !== undefined) void reply.header('www-authenticate', challenge)
  if (error.extras.headers) void reply.headers({ ...error.extras.headers })
  // Already text: a route's response schema describes its success, not this.
  return reply
    .code(error.status)
    .type(PROBLEM_TYPE)
    .header('cache-control', 'no-store')
    .serializer((body: unknown) => String(body))
    .send(JSON.stringify(problemBody(error, reply.request.id)))
}

/** A refusal as the bytes of a whole answer, for requests that are too broken to become one. */
export const problemBytes = (error: AppError, requestId: string): string => {
  const body = JSON.stringify(problemBody(error, requestId))
  const head = [
    `HTTP/1.1 ${error.status} ${titleOf(error.status)}`,
    `content-type: ${PROBLEM_TYPE}`,
    `content-length: ${Buffer.byteLength(body)}`,
    `x-request-id: ${requestId}`,
    'connection: close',
  ]
  return `${head.join('\r\n')}\r\n\r\n${body}`
}
