import {
  type Content,
  type Operation as DocumentedOperation,
  dereferenced,
  type OpenapiDocument,
  type Schema,
} from './openapi-document.ts'

type Operation = Omit<DocumentedOperation, 'name' | 'method' | 'path'>

// These formats have a length of their own.
const BOUNDED_FORMATS: ReadonlySet<string> = new Set(['date-time', 'date', 'uuid', 'ipv4', 'ipv6', 'binary'])

const hasType = ({ type }: Schema, name: string): boolean => [type].flat().includes(name)

const isFixed = (schema: Schema): boolean => schema.enum !== undefined || schema.const !== undefined

const isBoundedText = (schema: Schema): boolean =>
  schema.maxLength !== undefined || isFixed(schema) || BOUNDED_FORMATS.has(schema.format ?? '')

/** What a request may send without end. */
const boundFaults = (schema: Schema, place: string): string[] => [
  ...(hasType(schema, 'string') && !isBoundedText(schema) ? [`${place}: text without a bound`] : []),
  ...(hasType(schema, 'array') && schema.maxItems === undefined ? [`${place}: list without a bound`] : []),
  ...(hasType(schema, 'object') && schema.additionalProperties === undefined
    ? [`${place}: object that takes any field`]
    : []),
]

const alternatives = ({ anyOf = [], oneOf = [], allOf = [] }: Schema): Schema[] => [...anyOf, ...oneOf, ...allOf]

// "Or null" wraps a field into alternatives: what the other one says counts.
const isDescribed = (schema: Schema): boolean => Boolean(schema.description) || alternatives(schema).some(isDescribed)

const schemaFaults = (schema: Schema, place: string, isRequest: boolean): string[] => {
  const fields = Object.entries(schema.properties ?? {}).flatMap(([name, field]) => [
    ...(isDescribed(field) ? [] : [`${place}.${name}: no description`]),
    ...schemaFaults(field, `${place}.${name}`, isRequest),
  ])
  const inner = [...alternatives(schema), ...(schema.items ? [schema.items] : [])]
  const values = typeof schema.additionalProperties === 'object' ? [schema.additionalProperties] : []
  return [
    ...(isRequest ? boundFaults(schema, place) : []),
    ...fields,
    ...[...inner, ...values].flatMap((part) => schemaFaults(part, place, isRequest)),
  ]
}

const parameterFaults = ({ parameters = [] }: Operation): string[] =>
  parameters.flatMap((parameter) => {
    const place = `${parameter.in}.${parameter.name}`
    const missing = parameter.description ? [] : [`${place}: no description`]
    return [...missing, ...schemaFaults(parameter.schema, place, true)]
  })

const contentFaults = (content: Content | undefined, place: string, isRequest: boolean): string[] =>
  Object.values(content ?? {}).flatMap(({ schema }) => schemaFaults(schema, place, isRequest))

const NAMES = ['operationId', 'summary', 'description'] as const

const nameFaults = (operation: Operation, tags: ReadonlySet<string>): string[] => [
  ...NAMES.flatMap((name) => (operation[name] ? [] : [`no ${name}`])),
  ...(operation.tags?.length ? [] : ['no tags']),
  ...(operation.tags ?? []).flatMap((tag) => (tags.has(tag) ? [] : [`unknown tag ${tag}`])),
]

/** What a reader of the document would miss, and what a caller could send without end. */
export const openapiFaults = (document: OpenapiDocument): string[] => {
  const { paths, tags } = dereferenced(document)
  const known = new Set(tags.map(({ name }) => name))
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, operation]) => {
      const successes = Object.entries(operation.responses).filter(([status]) => Number(status) < 400)
      const faults = [
        ...nameFaults(operation, known),
        ...parameterFaults(operation),
        ...contentFaults(operation.requestBody?.content, 'body', true),
        ...successes.flatMap(([status, { content }]) => contentFaults(content, status, false)),
      ]
      return faults.map((fault) => `${method.toUpperCase()} ${path} ${fault}`)
    }),
  )
}
