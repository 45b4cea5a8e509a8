import type { FastifyContextConfig, FastifySchema, RouteOptions } from 'fastify'
import { z } from 'zod'
import { rolesMeeting } from '../domain/roles.ts'
import { type ErrorDefinition, errorCatalogue, type InputFault } from '../errors.ts'
import { describeFaults, OAUTH_ERRORS } from './oauth-errors.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Codes of the refusals that are this operation's own. Those that any operation can answer are added centrally. */
    errors?: readonly string[]
    /** A token endpoint: what RFC 6749 has a word for is refused in its way. */
    oauth?: true
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

const OAUTH_WORDS = [...new Set(Object.values(OAUTH_ERRORS))]

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
  OAuthError: {
    type: 'object',
    description:
      'The answer to a request for a token that was refused (RFC 6749, 5.2), with the members of the others.',
    required: ['error', 'error_description', ...required],
    properties: {
      error: { type: 'string', description: 'What went wrong, in the words of OAuth 2.', enum: OAUTH_WORDS },
      error_description: { type: 'string', description: 'What went wrong and what to do, in ASCII.' },
      type: { type: 'string', description: 'Path of a page of this server that explains the code.' },
      ...common,
      errors: { type: 'array', description: 'Every fault of the input at once.', items: inputFault },
    },
  },
} as const

const TOKEN_ERRORS = ['auth.token_missing', 'auth.token_invalid', 'auth.token_expired']

// What an account is refused that is not yet as the platform asks. Only administrators get passwords that were made up.
const unreadyErrors = ({ access, secondFactor }: FastifyContextConfig): string[] => {
  if (secondFactor === 'none') return []
  const isForAdmins = access !== 'public' && rolesMeeting('admin', access ?? []).length > 0
  return ['auth.second_factor_required', ...(isForAdmins ? ['auth.password_change_required'] : [])]
}

const accessErrors = ({ config }: RouteOptions): string[] => {
  if (config?.access === undefined || config.access === 'public') return []
  return [
    ...TOKEN_ERRORS,
    'auth.forbidden',
    'auth.address_not_allowed',
    ...(config.scope === undefined ? [] : ['auth.scope_missing']),
    ...(config.stepUp ? ['auth.step_up_required'] : []),
    ...unreadyErrors(config),
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

const conditionErrors = ({ config, method }: RouteOptions): string[] => {
  if (!config?.conditional) return []
  return ['validation.failed', ...(method === 'GET' ? [] : ['precondition.failed'])]
}

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
    ...conditionErrors(route),
    ...(route.config?.rateLimit === 'none' ? [] : ['server.too_many_requests']),
    'server.internal',
    'server.unavailable',
  ]
  return [...new Set(codes)].map((code) => definitionOf(code, route))
}

const PROBLEM = 'application/problem+json'

const EXAMPLE_REQUEST_ID = '5e2d9f0b-3f6a-4a0e-9d43-0c8a7b1c2d3e'
const EXAMPLE_FAULT = { in: 'body' as const, path: 'amount', code: 'required', message: 'This field is required.' }

type Example = {
  title: string
  status: number
  detail: string
  code: string
  requestId: string
  type?: string
  errors?: InputFault[]
}

const exampleOf = ({ code, status, title, detail }: ErrorDefinition): Example => {
  const problem = { title, status, detail, code, requestId: EXAMPLE_REQUEST_ID }
  if (status === 401) return problem
  return { type: `/errors/${code}`, ...problem, ...(code === 'validation.failed' ? { errors: [EXAMPLE_FAULT] } : {}) }
}

const oauthExampleOf = (definition: ErrorDefinition) => {
  const { errors, ...problem } = exampleOf(definition)
  const faults = errors && [{ ...EXAMPLE_FAULT, path: 'client_secret' }]
  const description = describeFaults({ message: definition.detail, extras: faults ? { errors: faults } : {} })
  const said = { error: OAUTH_ERRORS[definition.code], error_description: description }
  return { ...said, ...problem, ...(faults ? { errors: faults } : {}) }
}

const shapeOf = (status: number, isOauth: boolean) => {
  if (isOauth) return { type: 'application/json', schema: 'OAuthError', example: oauthExampleOf }
  return { type: PROBLEM, schema: status === 401 ? 'UnauthorizedError' : 'StandardError', example: exampleOf }
}

const responseOf = (definitions: readonly ErrorDefinition[], status: number, oauth = false) => {
  const { type, schema, example } = shapeOf(status, oauth && definitions.every(({ code }) => code in OAUTH_ERRORS))
  const examples = definitions.map((definition) => [definition.code, { value: example(definition) }])
  return {
    description: definitions.map(({ code, detail }) => `\`${code}\`: ${detail}`).join('\n\n'),
    content: {
      [type]: { schema: { $ref: `#/components/schemas/${schema}` }, examples: Object.fromEntries(examples) },
    },
  }
}

type Refusal = { examples?: Record<string, unknown> }
type Operation = { responses?: Record<string, { content?: Record<string, Refusal> }> }

// A code may have another status in one place than everywhere else: that example stays where it is.
const isUsual =
  (status: string) =>
  ([code]: [string, unknown]): boolean =>
    String(errorCatalogue.get(code)?.status) === status

/** Lets every refusal of an OpenAPI document refer to the one example of its code. */
export const withSharedExamples = <Whole extends object>(document: Whole): Whole => {
  const { paths = {}, components } = document as {
    paths?: Record<string, Record<string, Operation>>
    components?: object
  }
  const shared: Record<string, unknown> = {}
  for (const { responses = {} } of Object.values(paths).flatMap((methods) => Object.values(methods))) {
    for (const [status, { content }] of Object.entries(responses)) {
      const refusal = content?.[PROBLEM]
      for (const [code, example] of Object.entries(refusal?.examples ?? {}).filter(isUsual(status))) {
        shared[code] = example
        Object.assign(refusal?.examples ?? {}, { [code]: { $ref: `#/components/examples/${code}` } })
      }
    }
  }
  return { ...document, components: { ...components, examples: shared } }
}

/**
 * The refusals of an operation as OpenAPI responses, by status: its own codes, and those that follow from who may call
 * it and what it takes. Throws for a code that no area defines.
 */
export const errorResponses = (route: RouteOptions): Record<string, ReturnType<typeof responseOf>> => {
  const byStatus = Map.groupBy(definitionsOf(route), ({ status }) => status)
  const sorted = [...byStatus].sort(([left], [right]) => left - right)
  return Object.fromEntries(
    sorted.map(([status, definitions]) => [String(status), responseOf(definitions, status, route.config?.oauth)]),
  )
}
