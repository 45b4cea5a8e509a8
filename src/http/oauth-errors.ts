import type { FastifyReply } from 'fastify'
import type { AppError } from '../errors.ts'
import { problemBody, sendProblem } from './problem.ts'

/** The words that RFC 6749, 5.2 has for refusals of a token endpoint. */
export const OAUTH_ERRORS: Readonly<Record<string, string>> = {
  'auth.credentials_invalid': 'invalid_client',
  'auth.grant_unsupported': 'unsupported_grant_type',
  'auth.scope_invalid': 'invalid_scope',
  'validation.failed': 'invalid_request',
  'server.bad_request': 'invalid_request',
}

// What error_description may hold (RFC 6749, 5.2).
const NOT_DESCRIPTION = /[^\x20\x21\x23-\x5b\x5d-\x7e]/g

/** What is wrong, in the letters that the standard allows. Names the faults where there are any. */
export const describeFaults = ({ message, extras }: Pick<AppError, 'message' | 'extras'>): string => {
  const faults = extras.errors?.map((fault) => `${fault.path === '' ? fault.in : fault.path}: ${fault.message}`)
  return (faults === undefined ? message : faults.join(' ')).replaceAll(NOT_DESCRIPTION, "'")
}

/**
 * Answers a request for a token with a refusal that OAuth 2 libraries understand: the members of a problem and those of
 * RFC 6749, as JSON. What the standard has no word for is a problem like everywhere.
 */
export const sendOAuthError = (reply: FastifyReply, error: AppError): FastifyReply => {
  const word = OAUTH_ERRORS[error.code]
  if (word === undefined) return sendProblem(reply, error)
  if (error.status === 401) void reply.header('www-authenticate', 'Basic realm="integrations", charset="UTF-8"')
  const body = { error: word, error_description: describeFaults(error), ...problemBody(error, reply.request.id) }
  return reply
    .code(error.status)
    .type('application/json; charset=utf-8')
    .serializer((sent: unknown) => String(sent))
    .send(JSON.stringify(body))
}
