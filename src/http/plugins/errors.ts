import type { IncomingHttpHeaders } from 'node:http'
import type { FastifyError, FastifyInstance, FastifyRequest } from 'fastify'
import fastifyPlugin from 'fastify-plugin'
import { isRetryable, isUnavailable } from '../../db/errors.ts'
import { AppError, requestErrors, routeErrors, serverErrors } from '../../errors.ts'
import { inputFaults } from '../input-faults.ts'
import { sendProblem } from '../problem.ts'

const RETRY_AFTER_SECONDS = 1

const FRAMEWORK_ERRORS: Readonly<Record<string, () => AppError>> = {
  FST_ERR_CTP_BODY_TOO_LARGE: serverErrors.payload_too_large,
  FST_ERR_CTP_INVALID_MEDIA_TYPE: serverErrors.unsupported_media_type,
  FST_REQ_FILE_TOO_LARGE: serverErrors.payload_too_large,
  FST_INVALID_MULTIPART_CONTENT_TYPE: serverErrors.unsupported_media_type,
}

const BY_STATUS: Readonly<Record<number, () => AppError>> = {
  408: serverErrors.request_timeout,
  413: serverErrors.payload_too_large,
  415: serverErrors.unsupported_media_type,
}

/** 503 with the time after which trying again makes sense. */
export const unavailable = () => serverErrors.unavailable({ headers: { 'retry-after': String(RETRY_AFTER_SECONDS) } })

const fromFramework = (error: FastifyError, request: FastifyRequest): AppError | undefined => {
  if (error.validation) return requestErrors.failed({ errors: inputFaults(request, error.validationContext) })
  const status = error.statusCode ?? 500
  if (status === 503) return unavailable()
  const known = FRAMEWORK_ERRORS[error.code] ?? BY_STATUS[status]
  if (known) return known()
  return status >= 400 && status < 500 ? serverErrors.bad_request() : undefined
}

/** What an error is to a caller; undefined for a fault of ours. */
export const asAppError = (error: unknown, request: FastifyRequest): AppError | undefined => {
  if (error instanceof AppError) return error
  if (error instanceof Error && error.name === 'QueueFullError') return unavailable()
  if (isUnavailable(error) || isRetryable(error)) return unavailable()
  return error instanceof Error ? fromFramework(error as FastifyError, request) : undefined
}

/** One error handler for everything: a refusal is shown, anything else is a 500 that says nothing of the inside. */
export const errorsPlugin = fastifyPlugin(async (app: FastifyInstance) => {
  app.setErrorHandler((error, request, reply) => {
    const known = asAppError(error, request)
    if (known === undefined) request.log.error({ err: error }, 'request failed')
    else if (known.status >= 500) request.log.warn({ err: error }, 'request refused')
    return sendProblem(reply, known ?? serverErrors.internal())
  })

  const routes: { methods: string[]; pattern: RegExp }[] = []
  app.addHook('onRoute', ({ method, url }) => {
    // The preflight route answers for every path, also for those that do not exist.
    if (url !== '*') routes.push({ methods: [method].flat(), pattern: pathPattern(url) })
  })

  const unrouted = ({ url, method }: FastifyRequest): AppError => {
    const [path = ''] = url.split('?')
    const allowed = new Set(routes.flatMap(({ methods, pattern }) => (pattern.test(path) ? methods : [])))
    if (allowed.size === 0 || allowed.has(method)) return routeErrors.not_found()
    return routeErrors.method_not_allowed({ headers: { allow: [...allowed].sort().join(', ') } })
  }
  app.setNotFoundHandler((request, reply) => sendProblem(reply, unrouted(request)))

  // Before the body is read: what no operation takes is not judged by what was sent with it.
  app.addHook('preParsing', (request, _reply, payload, done) => {
    if (request.is404) return done(unrouted(request))
    return isEncoded(request) ? done(encodedBody()) : done(null, payload)
  })
})

const hasBody = ({ 'content-length': length = '0', 'transfer-encoding': chunked }: IncomingHttpHeaders): boolean =>
  length !== '0' || chunked !== undefined

const isEncoded = ({ headers }: FastifyRequest): boolean =>
  hasBody(headers) && (headers['content-encoding'] ?? 'identity').trim().toLowerCase() !== 'identity'

// RFC 9110, 12.5.3 and 15.5.16: the answer names the codings that would have been taken.
const encodedBody = (): AppError =>
  serverErrors.unsupported_media_type({
    detail: 'This server takes no compressed bodies. Send it as it is, without Content-Encoding.',
    headers: { 'accept-encoding': 'identity' },
  })

const pathPattern = (url: string): RegExp => {
  const escaped = url.replace(/[.+?^${}()|[\]\\]/g, '\\$&')
  return new RegExp(`^${escaped.replace(/:\w+/g, '[^/]+').replace(/\*/g, '.*')}$`)
}
