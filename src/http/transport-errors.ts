import { randomUUID } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import { type AppError, serverErrors } from '../errors.ts'
import { PROBLEM_TYPE, problemBody, problemBytes, sendProblem } from './problem.ts'

const PARSER_ERRORS: Readonly<Record<string, () => AppError>> = {
  HPE_HEADER_OVERFLOW: serverErrors.headers_too_large,
  ERR_HTTP_REQUEST_TIMEOUT: serverErrors.request_timeout,
}

/** Answers what Node could not even parse as a request. The connection ends: nothing after the fault can be trusted. */
export const clientErrorHandler = (error: NodeJS.ErrnoException, socket: Socket): void => {
  if (error.code === 'ECONNRESET' || socket.destroyed) return
  const refusal = (PARSER_ERRORS[error.code ?? ''] ?? serverErrors.bad_request)()
  if (socket.writable) socket.end(problemBytes(refusal, randomUUID()), () => socket.destroy())
  else socket.destroy()
}

const UNREADABLE_PATH = 'The path of the request holds an escape that does not decode to text.'

/** Answers requests whose address the router cannot read. They never reach a hook. */
export const frameworkErrors = (_error: FastifyError, request: FastifyRequest, reply: FastifyReply): void => {
  void reply.header('x-request-id', request.id)
  void sendProblem(reply, serverErrors.bad_request({ detail: UNREADABLE_PATH }))
}

/** Answers an Expect header that is not 100-continue. */
export const refuseExpectation = (_request: IncomingMessage, response: ServerResponse): void => {
  const requestId = randomUUID()
  response.writeHead(417, { 'content-type': PROBLEM_TYPE, 'x-request-id': requestId, connection: 'close' })
  response.end(JSON.stringify(problemBody(serverErrors.expectation_failed(), requestId)))
}
