import type { RouteOptions } from 'fastify'

/** What an operation's headers follow from. */
export type HeaderFacts = {
  isList: boolean
  /** A search of it may leave older records. */
  isSearchedInParts: boolean
  isRepeatable: boolean
  isLimited: boolean
  saysLocation: boolean
  conditional: 'read' | 'changed' | undefined
}

type JsonSchema = { properties?: Readonly<Record<string, unknown>> } | undefined
type Described = { querystring?: unknown; headers?: unknown }

const takes = (schema: unknown, field: string): boolean => field in ((schema as JsonSchema)?.properties ?? {})

/** The facts of a route whose schemas are JSON schemas already. */
export const headerFactsOf = ({ config, method }: RouteOptions, { querystring, headers }: Described): HeaderFacts => ({
  isList: takes(querystring, 'page'),
  isSearchedInParts: config?.searchedInParts === true,
  isRepeatable: takes(headers, 'idempotency-key'),
  isLimited: config?.rateLimit !== 'none',
  saysLocation: config?.location !== undefined,
  conditional: config?.conditional ? (method === 'GET' ? 'read' : 'changed') : undefined,
})

const header = (description: string, example: string | number) => ({
  description,
  schema: { type: typeof example === 'number' ? 'integer' : 'string' },
  example,
})

/** Every header of an answer that a client may want to read, once. */
export const HEADERS = {
  ETag: header(
    'Names this state of the thing. Send it back in `If-Match` or `If-None-Match`.',
    '"4fO0Z1bq8mXc2TnVw9LrYk3sHdE"',
  ),
  'Idempotency-Replayed': header('`true`: this is the first answer to this Idempotency-Key again.', 'true'),
  Link: header(
    'The first, previous, next and last page of the list (RFC 8288).',
    '</api/v1/payments?perPage=50&page=1>; rel="first", </api/v1/payments?perPage=50&page=1>; rel="last"',
  ),
  Location: header('Path of the new thing.', '/api/v1/payments/01939f3e-7c1a-7b1e-9d6a-3f5b8c2d1e00'),
  RateLimit: header('How many requests are left, `r`, and for how many seconds, `t`.', '"credential";r=599;t=42'),
  'RateLimit-Policy': header(
    'How many requests are allowed, `q`, in how many seconds, `w`.',
    '"credential";q=600;w=60',
  ),
  'Retry-After': header('Seconds after which trying again makes sense.', 1),
  'Search-Complete': header(
    'Of a search: `false` while there are older records that it did not look at, behind `next` of the Link header.',
    'false',
  ),
  'WWW-Authenticate': header('The scheme that this operation asks for (RFC 6750).', 'Bearer error="invalid_token"'),
} as const

type HeaderName = keyof typeof HEADERS

const RATE_LIMITS = ['RateLimit', 'RateLimit-Policy'] as const

const ofSuccess = (facts: HeaderFacts, status: string): HeaderName[] => [
  ...(facts.conditional === 'read' ? (['ETag'] as const) : []),
  ...(facts.isRepeatable ? (['Idempotency-Replayed'] as const) : []),
  ...(facts.isList ? (['Link'] as const) : []),
  ...(facts.isSearchedInParts ? (['Search-Complete'] as const) : []),
  ...(facts.saysLocation && status === '201' ? (['Location'] as const) : []),
  ...(facts.isLimited ? RATE_LIMITS : []),
]

const namesOf = (facts: HeaderFacts, status: string): readonly HeaderName[] => {
  if (status < '400') return ofSuccess(facts, status)
  if (status === '401') return ['WWW-Authenticate']
  if (status === '409') return facts.isRepeatable ? ['Retry-After'] : []
  if (status === '429') return [...RATE_LIMITS, 'Retry-After']
  return status === '503' ? ['Retry-After'] : []
}

type Response = { description?: string; headers?: object }
type Operation = { operationId?: string; parameters?: unknown[]; responses?: Record<string, Response> }

const withNames = (facts: HeaderFacts, status: string, response: Response): Response => {
  const names = namesOf(facts, status)
  if (names.length === 0) return response
  const headers = Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]))
  return { ...response, headers: { ...response.headers, ...headers } }
}

const condition = (name: string, description: string) => ({
  in: 'header',
  name,
  required: false,
  description,
  schema: { type: 'string', maxLength: 1_000 },
  example: HEADERS.ETag.example,
})

const IF_NONE_MATCH = condition('if-none-match', 'An ETag that you have: 304 while it is still that of the thing.')
const IF_MATCH = condition(
  'if-match',
  'The ETag that you read: 412 where the thing has changed since. Absent: no condition.',
)
const NOT_MODIFIED = { '304': { description: 'The thing is still as the ETag in If-None-Match names it.' } }

const withCondition = (operation: Operation, { conditional }: HeaderFacts): Operation => {
  if (conditional === undefined) return operation
  const parameters = [...(operation.parameters ?? []), conditional === 'read' ? IF_NONE_MATCH : IF_MATCH]
  return conditional === 'read'
    ? { ...operation, parameters, responses: { ...operation.responses, ...NOT_MODIFIED } }
    : { ...operation, parameters }
}

const withHeaders = (operation: Operation, facts: HeaderFacts | undefined): Operation => {
  if (facts === undefined) return operation
  const conditioned = withCondition(operation, facts)
  const responses = Object.entries(conditioned.responses ?? {}).map(([status, response]) => [
    status,
    withNames(facts, status, response),
  ])
  return { ...conditioned, responses: Object.fromEntries(responses) }
}

type Document = { paths?: Record<string, Record<string, Operation>>; components?: object }

/** Declares the headers of every answer, and what conditional requests take. `facts` are by operation id. */
export const withDeclaredHeaders = <Whole extends object>(
  document: Whole,
  facts: ReadonlyMap<string, HeaderFacts>,
): Whole => {
  const { paths = {}, components } = document as Document
  const declared = Object.entries(paths).map(([path, methods]) => [
    path,
    Object.fromEntries(
      Object.entries(methods).map(([name, operation]) => [
        name,
        withHeaders(operation, facts.get(operation.operationId ?? '')),
      ]),
    ),
  ])
  return { ...document, paths: Object.fromEntries(declared), components: { ...components, headers: HEADERS } }
}
