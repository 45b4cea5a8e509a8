import { setTimeout as wait } from 'node:timers/promises'
import Fastify, { type FastifyReply, type FastifyRequest } from 'fastify'
import { hasZodFastifySchemaValidationErrors, validatorCompiler, type ZodTypeProvider } from 'fastify-type-provider-zod'
import type { Bank } from '../bank.ts'
import type { RequestAction } from '../faults.ts'
import { authenticate, certificateOwner } from './authentication.ts'
import { type ApiServer, factsOf, type Operation, operationOf, setFacts } from './operation.ts'
import { parseJson } from './parse-json.ts'
import { EfiRefusal, generalProblem, invalid, Problem, problemBody, TokenRefusal, violation } from './problems.ts'

const PROBLEM_TYPE = 'application/problem+json; charset=utf-8'
const JSON_TYPE = 'application/json; charset=utf-8'

/** Certificate and key as PEM, and the authority whose clients are let in. */
export type TlsOptions = {
  key: string
  cert: string
  ca: string | undefined
  requestCert: boolean
  rejectUnauthorized: boolean
}

// The connection stays open and silent until one side gives up.
const silence = (): Promise<never> => new Promise(() => undefined)

const mark = (request: FastifyRequest, outcome: 'cut' | 'hung'): void => {
  factsOf(request).exchange.outcome = outcome
}

const cut = (request: FastifyRequest): void => {
  mark(request, 'cut')
  request.raw.socket.destroy()
}

const retryAfterOf = (action: RequestAction): number | undefined => {
  if (action.kind === 'status') return action.retryAfterSeconds
  return action.kind === 'budget' ? Math.ceil(action.windowMs / 1_000) : undefined
}

/** Status, headers and text of the answer that a fault gives instead of the real one. */
const writeFault = (reply: FastifyReply, action: RequestAction): string => {
  const status = action.kind === 'status' ? action.status : 429
  const retryAfterSeconds = retryAfterOf(action)
  if (retryAfterSeconds !== undefined) reply.header('retry-after', String(retryAfterSeconds))
  const body = action.kind === 'status' ? action.body : undefined
  if (body === undefined) {
    reply.code(status).type(PROBLEM_TYPE)
    return JSON.stringify(problemBody(generalProblem(status)))
  }
  reply.code(status).type((action.kind === 'status' ? action.contentType : undefined) ?? JSON_TYPE)
  return typeof body === 'string' ? body : JSON.stringify(body)
}

const meet = (bank: Bank, request: FastifyRequest, when: 'before' | 'after'): RequestAction | undefined => {
  const operation = operationOf(request)?.name
  if (operation === undefined || bank.faults.isCalm()) return undefined
  const { exchange } = factsOf(request)
  const met = bank.faults.ofRequest({ when, operation, merchantId: exchange.merchantId, text: request.url })
  if (met === undefined) return undefined
  exchange.faultId = met.id
  return met.action
}

/** Answers whether the request is done with. */
const disturbBefore = async (request: FastifyRequest, reply: FastifyReply, action: RequestAction): Promise<boolean> => {
  if (action.kind === 'delay') {
    await wait(action.ms)
    return false
  }
  if (action.kind === 'hang' || action.kind === 'cut') {
    reply.hijack()
    if (action.kind === 'cut') cut(request)
    else mark(request, 'hung')
    return true
  }
  await reply.send(writeFault(reply, action))
  return true
}

/** Answers what is sent instead of the real answer, which has taken effect by now. */
const disturbAfter = async (
  request: FastifyRequest,
  reply: FastifyReply,
  action: RequestAction,
  payload: unknown,
): Promise<unknown> => {
  if (action.kind === 'delay') await wait(action.ms)
  if (action.kind === 'delay') return payload
  if (action.kind === 'cut') cut(request)
  if (action.kind === 'hang') mark(request, 'hung')
  if (action.kind === 'cut' || action.kind === 'hang') return silence()
  return writeFault(reply, action)
}

const recordRequest = (bank: Bank, request: FastifyRequest): void => {
  const { method, url, headers } = request
  const exchange = bank.exchanges.begin({ operation: operationOf(request)?.name, method, url, headers })
  exchange.merchantId = certificateOwner(request) || undefined
  setFacts(request, { exchange, startedAt: performance.now() })
}

const withoutSecret = (body: unknown): unknown =>
  typeof body === 'object' && body !== null && 'client_secret' in body ? { ...body, client_secret: '[hidden]' } : body

const recordAnswer = (request: FastifyRequest, reply: FastifyReply, payload: unknown): void => {
  const { exchange, startedAt } = factsOf(request)
  const type = reply.getHeader('content-type')
  exchange.status = reply.statusCode
  exchange.responseType = typeof type === 'string' ? type : undefined
  exchange.durationMs = Math.round(performance.now() - startedAt)
  exchange.outcome = 'answered'
  // What a token endpoint says is a secret.
  if (exchange.operation !== 'token' || reply.statusCode >= 300) exchange.responseBody = payload
}

const sendProblem = (reply: FastifyReply, problem: Problem): FastifyReply =>
  reply
    .code(problem.options.status)
    .type(PROBLEM_TYPE)
    .send(JSON.stringify(problemBody(problem)))

type SchemaFault = { instancePath: string; message?: string }

const invalidRequest = (request: FastifyRequest, faults: readonly SchemaFault[]): Problem => {
  const { type, thing } = operationOf(request)?.invalid ?? { type: 'RequisicaoInvalida', thing: 'requisicao' }
  const violations = faults.map(({ instancePath, message }) => {
    const field = [thing, ...instancePath.split('/').filter(Boolean)].join('.')
    return violation(field, `O campo ${field} não respeita o schema${message === undefined ? '' : `: ${message}`}.`)
  })
  return invalid(type, violations)
}

const answerError = (error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply => {
  if (error instanceof Problem) return sendProblem(reply, error)
  if (error instanceof EfiRefusal || error instanceof TokenRefusal) return reply.code(error.status).send(error.body)
  if (hasZodFastifySchemaValidationErrors(error)) return sendProblem(reply, invalidRequest(request, error.validation))
  const status = error instanceof Error && 'statusCode' in error ? Number(error.statusCode) : 500
  if (status < 500) return sendProblem(reply, generalProblem(status))
  process.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`)
  return sendProblem(reply, generalProblem(500))
}

const addParsers = (app: ApiServer): void => {
  app.removeContentTypeParser('application/json')
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (_request, text, done) => {
    try {
      done(null, parseJson(String(text)))
    } catch {
      done(generalProblem(400))
    }
  })
  app.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string' }, (_request, text, done) =>
    done(null, Object.fromEntries(new URLSearchParams(String(text)))),
  )
}

const addHooks = (app: ApiServer, bank: Bank, latencyMs: number): void => {
  app.addHook('onRequest', async (request, reply) => {
    recordRequest(bank, request)
    const action = meet(bank, request, 'before')
    if (action !== undefined && (await disturbBefore(request, reply, action))) return reply
    const scope = operationOf(request)?.scope
    if (scope !== undefined) factsOf(request).merchant = authenticate(bank, request, scope)
  })

  app.addHook('preValidation', async (request) => {
    factsOf(request).exchange.requestBody = withoutSecret(request.body)
  })

  app.addHook('onSend', async (request, reply, payload) => {
    if (latencyMs > 0) await wait(latencyMs)
    const action = meet(bank, request, 'after')
    const sent = action === undefined ? payload : await disturbAfter(request, reply, action, payload)
    recordAnswer(request, reply, sent)
    return sent
  })
}

/** An HTTPS server with what all of the PSP's routes share: record, faults, access, errors. */
export const createApiServer = (bank: Bank, tls: TlsOptions, latencyMs: number): ApiServer => {
  const app = Fastify({
    https: tls,
    exposeHeadRoutes: false,
    forceCloseConnections: true,
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: 200 },
  }).withTypeProvider<ZodTypeProvider>()
  app.setValidatorCompiler(validatorCompiler)
  app.setErrorHandler(answerError)
  app.setNotFoundHandler((_request, reply) => sendProblem(reply, generalProblem(404)))
  addParsers(app)
  app.addHook('onRoute', ({ config }) => {
    const { operation } = (config ?? {}) as { operation?: Operation }
    if (operation !== undefined) bank.operations.push(operation.name)
  })
  addHooks(app, bank, latencyMs)
  return app
}
