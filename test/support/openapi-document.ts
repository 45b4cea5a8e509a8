export type Schema = {
  type?: string | string[]
  description?: string
  properties?: Record<string, Schema>
  required?: string[]
  items?: Schema
  anyOf?: Schema[]
  oneOf?: Schema[]
  allOf?: Schema[]
  additionalProperties?: boolean | Schema
  minLength?: number
  maxLength?: number
  minItems?: number
  maxItems?: number
  minimum?: number
  maximum?: number
  multipleOf?: number
  enum?: unknown[]
  const?: unknown
  default?: unknown
  format?: string
  contentMediaType?: string
  pattern?: string
  examples?: unknown[]
  $ref?: string
}

export type Media = { schema: Schema; example?: unknown; examples?: Record<string, { value: unknown }> }

export type Content = Record<string, Media>

export type Parameter = {
  in: 'path' | 'query' | 'header'
  name: string
  required?: boolean
  description?: string
  schema: Schema
  example?: unknown
  examples?: Record<string, { value: unknown }>
}

export type Header = { description?: string; schema: Schema; example?: unknown; $ref?: string }

type OperationObject = {
  operationId?: string
  summary?: string
  description?: string
  tags?: string[]
  security: Record<string, string[]>[]
  parameters?: Parameter[]
  requestBody?: { content: Content; required?: boolean }
  responses: Record<string, { content?: Content; headers?: Record<string, Header> }>
}

export type OpenapiDocument = {
  openapi: string
  tags: { name: string }[]
  paths: Record<string, Record<string, OperationObject>>
  /** By type of event. */
  webhooks: Record<string, { post: OperationObject }>
  components: {
    schemas: Record<string, Schema>
    headers: Record<string, Header>
    examples: Record<string, { value: unknown }>
  }
}

/** One operation, with its place in the document. `name` is `POST /api/v1/payments`. */
export type Operation = OperationObject & { name: string; method: string; path: string }

const targetOf = (document: object, pointer: string): unknown =>
  pointer
    .replace('#/', '')
    .split('/')
    .reduce<unknown>((node, name) => (node as Record<string, unknown> | undefined)?.[name], document)

const known = new WeakMap<OpenapiDocument, OpenapiDocument>()

/** The same document with everything that it refers to in its place. */
export const dereferenced = (document: OpenapiDocument): OpenapiDocument => {
  const targets = new Map<string, unknown>()
  const resolved = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(resolved)
    if (typeof value !== 'object' || value === null) return value
    if ('$ref' in value && typeof value.$ref === 'string') return target(value.$ref)
    return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, resolved(inner)]))
  }
  const target = (pointer: string): unknown => {
    if (!targets.has(pointer)) targets.set(pointer, resolved(targetOf(document, pointer)))
    return targets.get(pointer)
  }
  const whole = known.get(document) ?? (resolved(document) as OpenapiDocument)
  known.set(document, whole)
  return whole
}

/** Every operation of a document, with everything that it refers to in its place. */
export const operationsOf = (document: OpenapiDocument): Operation[] =>
  Object.entries(dereferenced(document).paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => {
      const upper = method.toUpperCase()
      return { ...operation, name: `${upper} ${path}`, method: upper, path }
    }),
  )

/** The error codes that an operation may answer with a status. */
export const documentedCodes = ({ responses }: OperationObject, status: number | string): string[] =>
  Object.values(responses[String(status)]?.content ?? {}).flatMap(({ examples }) => Object.keys(examples ?? {}))
