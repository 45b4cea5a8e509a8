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
  format?: string
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

type OperationObject = {
  operationId?: string
  summary?: string
  description?: string
  tags?: string[]
  security: Record<string, string[]>[]
  parameters?: Parameter[]
  requestBody?: { content: Content; required?: boolean }
  responses: Record<string, { content?: Content }>
}

export type OpenapiDocument = {
  openapi: string
  tags: { name: string }[]
  paths: Record<string, Record<string, OperationObject>>
  /** By type of event. */
  webhooks: Record<string, { post: OperationObject }>
  components: { schemas: Record<string, Schema> }
}

/** One operation, with its place in the document. `name` is `POST /api/v1/payments`. */
export type Operation = OperationObject & { name: string; method: string; path: string }

export const operationsOf = ({ paths }: OpenapiDocument): Operation[] =>
  Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => {
      const upper = method.toUpperCase()
      return { ...operation, name: `${upper} ${path}`, method: upper, path }
    }),
  )

/** The error codes that an operation may answer with a status. */
export const documentedCodes = ({ responses }: OperationObject, status: number | string): string[] =>
  Object.keys(responses[String(status)]?.content?.['application/problem+json']?.examples ?? {})
