type Schema = {
  type?: string | readonly string[]
  properties?: Record<string, Schema>
  items?: Schema
  anyOf?: readonly Schema[]
  oneOf?: readonly Schema[]
  enum?: readonly unknown[]
  const?: unknown
  default?: unknown
  examples?: readonly unknown[]
  format?: string
  minimum?: number
}

type Media = { schema?: Schema; example?: unknown; examples?: unknown }
type Carrier = { content?: Record<string, Media> }
type Parameter = Media & { required?: boolean }
type Operation = { parameters?: Parameter[]; requestBody?: Carrier; responses?: Record<string, Carrier> }

const BY_FORMAT: Readonly<Record<string, string>> = {
  'date-time': '2026-11-21T13:05:12.481Z',
  date: '2026-11-30',
  uuid: '01939f3e-7c1a-7b1e-9d6a-3f5b8c2d1e00',
  uri: 'https://example.com/',
  binary: '(the bytes of the file)',
}

const ownExamples = ({ examples, const: constant, default: preset, enum: values }: Schema): readonly unknown[] => [
  ...(examples ?? []),
  ...[constant, preset].filter((value) => value !== undefined),
  ...(values ?? []),
]

const objectExample = ({ properties = {} }: Schema) =>
  Object.fromEntries(Object.entries(properties).map(([name, field]) => [name, exampleOf(field)]))

const BY_TYPE: Readonly<Record<string, (schema: Schema) => unknown>> = {
  object: objectExample,
  array: ({ items }) => (items === undefined ? [] : [exampleOf(items)]),
  string: ({ format = '' }) => BY_FORMAT[format] ?? 'text',
  integer: ({ minimum = 0 }) => Math.max(0, minimum),
  number: ({ minimum = 0 }) => Math.max(0, minimum),
  boolean: () => true,
}

/** A value that a schema allows: its own example, or one put together from those of its fields. */
export const exampleOf = (schema: Schema): unknown => {
  const [own] = ownExamples(schema)
  if (own !== undefined) return own
  const alternative = [...(schema.anyOf ?? []), ...(schema.oneOf ?? [])].at(0)
  if (alternative !== undefined) return exampleOf(alternative)
  const type = [schema.type].flat().find((name) => name !== 'null')
  return BY_TYPE[type ?? '']?.(schema) ?? null
}

const hasExample = ({ example, examples }: Media): boolean => example !== undefined || examples !== undefined

const withExample = <Part extends Media>(media: Part): Part =>
  hasExample(media) || media.schema === undefined ? media : { ...media, example: exampleOf(media.schema) }

const isJson = (contentType: string): boolean => contentType.endsWith('json')

const withContentExamples = <Part extends Carrier>(part: Part, isShown: (contentType: string) => boolean): Part => {
  if (part.content === undefined) return part
  const content = Object.entries(part.content).map(([type, media]) => [
    type,
    isShown(type) ? withExample(media) : media,
  ])
  return { ...part, content: Object.fromEntries(content) }
}

const withOperationExamples = (operation: Operation): Operation => ({
  ...operation,
  ...(operation.parameters && { parameters: operation.parameters.map(withExample) }),
  ...(operation.requestBody && { requestBody: withContentExamples(operation.requestBody, () => true) }),
  ...(operation.responses && {
    responses: Object.fromEntries(
      Object.entries(operation.responses).map(([status, part]) => [status, withContentExamples(part, isJson)]),
    ),
  }),
})

/**
 * Gives every parameter, body and answer of an OpenAPI document an example. Those that a schema brings itself stay:
 * a body whose fields exclude each other needs one, because otherwise all of its fields are shown at once.
 */
export const withExamples = <Document extends object>(document: Document): Document => {
  const { paths = {} } = document as { paths?: Record<string, Record<string, Operation>> }
  const shown = Object.entries(paths).map(([path, methods]) => [
    path,
    Object.fromEntries(Object.entries(methods).map(([name, operation]) => [name, withOperationExamples(operation)])),
  ])
  return { ...document, paths: Object.fromEntries(shown) }
}
