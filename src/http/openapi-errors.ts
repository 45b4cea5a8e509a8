import type { FastifySchema, RouteOptions } from 'fastify'
import { z } from 'zod'
import { type ErrorDefinition, errorCatalogue } from '../errors.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Codes of the refusals that are this operation's own. Those that any operation can answer are added centrally. */
    errors?: readonly string[]
  }
}

const common = {
  title: { type: 'string', description: 'Name of the status.', examples: ['Conflict'] },
  status: { type: 'integer', description: 'The HTTP status again.', examples: [409] },
  detail: { type: 'string', description: 'What went wrong and what to do, for people.' },
  code: { type: 'string', description: 'What went wrong, for programs: stable, `area.name`.' },
  requestId: { type: 'string', description: 'The X-Request-Id of the answer. Support finds it in the log.' },
} as const

const inputFault = {
  type: 'object',
  description: 'One fault of the input.',
  required: ['in', 'path', 'code', 'message'],
  properties: {
    in: { type: 'string', enum: ['body', 'query', 'params', 'headers'], description: 'Part of the request.' },
    path: { type: 'string', description: 'Field, with dots between levels. Empty: the whole part.' },
    code: { type: 'string', description: 'Rule that is broken, for programs.' },
    message: { type: 'string', description: 'Rule that is broken, for people.' },
  },
} as const

const required = ['title', 'status', 'detail', 'code', 'requestId'] as const

/** The two shapes of a refusal: RFC 9457 problems. */
export const ERROR_SCHEMAS = {
  UnauthorizedError: {
    type: 'object',
    description: 'The answer to a request without valid authentication.',
    required: [...required],
    properties: common,
  },
  StandardError: {
    type: 'object',
    description: 'The answer to every other request that was refused or failed.',
    required: ['type', ...required],
    properties: {
      type: { type: 'string', description: 'Path of a page of this server that explains the code.' },
      ...common,
      errors: { type: 'array', description: 'Every fault of the input at once.', items: inputFault },
    },
  },
} as const

const TOKEN_ERRORS = ['auth.token_missing', 'auth.token_invalid', 'auth.token_expired']

const accessErrors = ({ config }: RouteOptions): string[] => {
  if (config?.access === undefined || config.access === 'public') return []
  return [
    ...TOKEN_ERRORS,
    'auth.forbidden',
    'auth.address_not_allowed',
    ...(config.scope === undefined ? [] : ['auth.scope_missing']),
  ]
}

const idempotencyErrors = (headers: unknown): string[] => {
  if (!(headers instanceof z.ZodObject) || !('idempotency-key' in headers.shape)) return []
  const isRequired = z.globalRegistry.get(headers)?.required !== undefined
  return ['idempotency.key_reused', 'idempotency.in_progress', ...(isRequired ? ['idempotency.key_required'] : [])]
}

const inputErrors = ({ body, params, querystring, headers }: FastifySchema): string[] => [
  ...([body, params, querystring, headers].some((part) => part !== undefined) ? ['validation.failed'] : []),
  ...(body === undefined ? [] : ['server.payload_too_large', 'server.unsupported_media_type']),
  ...idempotencyErrors(headers),
]

const definitionOf = (code: string, route: RouteOptions): ErrorDefinition => {
  const definition = errorCatalogue.get(code)
  if (definition === undefined) throw new Error(`${route.method} ${route.url} names the unknown error ${code}`)
  return definition
}

const definitionsOf = (route: RouteOptions): ErrorDefinition[] => {
  const codes = [
    ...accessErrors(route),
    ...inputErrors(route.schema ?? {}),
    ...(route.config?.errors ?? []),
    ...(route.config?.rateLimit === 'none' ? [] : ['server.too_many_requests']),
    'server.internal',
    'server.unavailable',
  ]
  return [...new Set(codes)].map((code) => definitionOf(code, route))
}

const EXAMPLE_REQUEST_ID = '5e2d9f0b-3f6a-4a0e-9d43-0c8a7b1c2d3e'
const EXAMPLE_FAULTS = [{ in: 'body', path: 'amount', code: 'required', message: 'This field is required.' }]

const exampleOf = ({ code, status, title, detail }: ErrorDefinition) => {
  const problem = { title, status, detail, code, requestId: EXAMPLE_REQUEST_ID }
  if (status === 401) return problem
  return { type: `/errors/${code}`, ...problem, ...(code === 'validation.failed' ? { errors: EXAMPLE_FAULTS } : {}) }
}

const responseOf = (definitions: readonly ErrorDefinition[], status: number) => ({
  description: definitions.map(({ code, detail }) => `\`${code}\`: ${detail}`).join('\n\n'),
  content: {
    'application/problem+json': {
      schema: { $ref: `#/components/schemas/${status === 401 ? 'UnauthorizedError' : 'StandardError'}` },
      examples: Object.fromEntries(
        definitions.map((definition) => [definition.code, { value: exampleOf(definition) }]),
      ),
    },
  },
})

/**
 * The refusals of an operation as OpenAPI responses, by status: its own codes, and those that follow from who may call
 * it and what it takes. Throws for a code that no area defines.
 */
export const errorResponses = (route: RouteOptions): Record<string, ReturnType<typeof responseOf>> => {
  const byStatus = Map.groupBy(definitionsOf(route), ({ status }) => status)
  const sorted = [...byStatus].sort(([left], [right]) => left - right)
  return Object.fromEntries(sorted.map(([status, definitions]) => [String(status), responseOf(definitions, status)]))
}
