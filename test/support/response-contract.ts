import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import {
  documentedCodes,
  type Media,
  type OpenapiDocument,
  type Operation,
  operationsOf,
  type Schema,
} from './openapi-document.ts'

/** An answer of the server, as far as the document speaks of it. */
export type Answered = { status: number; contentType: string; body: unknown }

/** Says what about an answer is not as the document has it, or nothing when it is. */
export type ResponseContract = (method: string, url: string, answered: Answered) => string | undefined

// These are answers to requests that the server could not read as one of an operation.
const UNREADABLE: ReadonlySet<string> = new Set([
  'server.bad_request',
  'server.request_timeout',
  'server.expectation_failed',
  'server.headers_too_large',
])

const NOT_ROUTED: ReadonlySet<string> = new Set(['route.not_found', 'route.method_not_allowed'])

const patternOf = (path: string): RegExp =>
  new RegExp(`^${path.replaceAll('.', '\\.').replaceAll(/\{\w+\}/g, '[^/]*')}$`)

const codeOf = (body: unknown): string =>
  typeof body === 'object' && body !== null && 'code' in body ? String(body.code) : ''

/** Judges values by schemas of the document. Each schema is compiled once, when its first value comes. */
export const createValidators = (document: OpenapiDocument) => {
  // Keywords of OpenAPI itself and formats of files are not ajv's to judge.
  const ajv = new Ajv2020({ strict: false, validateFormats: true, formats: { binary: true } })
  addFormats.default(ajv)
  ajv.addSchema({ $id: 'document', components: { schemas: withNulls(document.components.schemas) } })
  const compiled = new WeakMap<Schema, ValidateFunction>()
  return (schema: Schema, body: unknown): string | undefined => {
    const validate = compiled.get(schema) ?? ajv.compile(absolute(schema))
    compiled.set(schema, validate)
    return validate(body) ? undefined : ajv.errorsText(validate.errors, { dataVar: 'body' })
  }
}

const isObjectOrNull = ({ anyOf = [] }: Schema): boolean =>
  anyOf.some(({ type }) => type === 'null') && anyOf.some(({ $ref }) => $ref !== undefined)

// The document leaves it open whether an object that may be null is there at all. It is.
const withNulls = (schemas: Record<string, Schema>): Record<string, Schema> =>
  Object.fromEntries(
    Object.entries(schemas).map(([name, schema]) => {
      const { properties = {}, required = [] } = schema
      const nullable = Object.keys(properties).filter((field) => isObjectOrNull(properties[field] ?? {}))
      return [name, nullable.length === 0 ? schema : { ...schema, required: [...new Set([...required, ...nullable])] }]
    }),
  )

// References point into the document: ajv knows it by the name `document`.
const absolute = (schema: Schema): Schema =>
  JSON.parse(JSON.stringify(schema).replaceAll('"$ref":"#/', '"$ref":"document#/'))

/** Of an operation, a status and a content type: what the document says about the body. */
const mediaOf = ({ responses }: Operation, { status, contentType }: Answered): Media | string => {
  const response = responses[String(status)]
  if (response === undefined) return 'this status is not documented'
  return response.content?.[contentType] ?? `the content type "${contentType}" is not documented`
}

const isBodiless = ({ responses }: Operation, { status, body }: Answered): boolean => {
  const response = responses[String(status)]
  return response !== undefined && Object.keys(response.content ?? {}).length === 0 && body === undefined
}

const codeFault = (operation: Operation, { status, body }: Answered): string | undefined =>
  status < 400 || documentedCodes(operation, status).includes(codeOf(body))
    ? undefined
    : `the code ${codeOf(body)} is not documented`

const isUnrouted = ({ status, body }: Answered): boolean =>
  status >= 400 && (UNREADABLE.has(codeOf(body)) || NOT_ROUTED.has(codeOf(body)))

/** Compares answers with the document. Each schema is compiled once, when its first answer comes. */
export const createResponseContract = (document: OpenapiDocument): ResponseContract => {
  const validate = createValidators(document)
  const operations = operationsOf(document).map((operation) => ({ ...operation, pattern: patternOf(operation.path) }))
  // A path without parameters comes before one where a parameter could be the same word.
  operations.sort((left, right) => left.path.split('{').length - right.path.split('{').length)

  const judge = (operation: Operation, answered: Answered): string | undefined => {
    if (isBodiless(operation, answered)) return undefined
    const media = mediaOf(operation, answered)
    if (typeof media === 'string') return media
    const fault = answered.contentType.endsWith('json') ? validate(media.schema, answered.body) : undefined
    return fault ?? codeFault(operation, answered)
  }

  return (method, url, answered) => {
    if (method === 'HEAD' || isUnrouted(answered)) return undefined
    const { pathname } = new URL(url)
    const operation = operations.find((entry) => entry.method === method && entry.pattern.test(pathname))
    if (operation === undefined) return pathname.startsWith('/api/') ? 'no such operation is documented' : undefined
    const fault = judge(operation, answered)
    return fault && `${operation.name} answered ${answered.status}, but ${fault}`
  }
}
