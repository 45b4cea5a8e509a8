import fastJsonStringify, { type Schema } from 'fast-json-stringify'
import type { FastifySerializerCompiler } from 'fastify/types/schema.js'
import { serializerCompiler } from 'fastify-type-provider-zod'
import { toJSONSchema, type z } from 'zod'

type JsonSchema = Readonly<Record<string, unknown>>

// What a compiled serializer writes by. The rest of a schema says what may be sent, which tests check of every answer.
const WRITTEN_BY = ['type', 'properties', 'required', 'items', 'additionalProperties'] as const

const isSchema = (value: unknown): value is JsonSchema =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const isNull = (schema: unknown): boolean => isSchema(schema) && schema.type === 'null'

const mapValues = (schemas: JsonSchema): JsonSchema | undefined => {
  const mapped = Object.entries(schemas).map(([name, schema]) => [name, writable(schema)] as const)
  return mapped.some(([, schema]) => schema === undefined) ? undefined : Object.fromEntries(mapped)
}

// `X or null` is written as X, or as null. Any other choice between shapes would have to be found out for each value.
const alternatives = (options: readonly unknown[]): JsonSchema | undefined => {
  const [option, ...others] = options.filter((candidate) => !isNull(candidate))
  if (others.length > 0 || others.length + 1 === options.length) return undefined
  const schema = writable(option)
  return schema && { ...schema, nullable: true }
}

const part = (key: (typeof WRITTEN_BY)[number], value: unknown): unknown => {
  if (key === 'properties') return isSchema(value) ? mapValues(value) : undefined
  if (key === 'items' || (key === 'additionalProperties' && isSchema(value))) return writable(value)
  return value
}

/** The part of a JSON schema that a compiled serializer needs; undefined where it cannot write what the schema says. */
const writable = (schema: unknown): JsonSchema | undefined => {
  if (!isSchema(schema)) return undefined
  if (Array.isArray(schema.anyOf)) return alternatives(schema.anyOf)
  if (typeof schema.type !== 'string') return undefined
  const given = WRITTEN_BY.filter((key) => schema[key] !== undefined).map(
    (key) => [key, part(key, schema[key])] as const,
  )
  return given.some(([, value]) => value === undefined) ? undefined : Object.fromEntries(given)
}

/**
 * A function that writes values of this schema as JSON: the declared fields and no other. Undefined where the schema
 * leaves a choice between shapes that only looking at each value could decide.
 */
export const compileSerializer = (schema: z.ZodType): ((value: unknown) => string) | undefined => {
  const written = writable(toJSONSchema(schema, { io: 'output', unrepresentable: 'any', reused: 'inline' }))
  return written && fastJsonStringify(written as object as Schema)
}

type Serializer = ReturnType<typeof compileSerializer>

const compiled = new WeakMap<z.ZodType, Serializer>()

// What several routes answer is compiled once.
const serializerOf = (schema: z.ZodType): Serializer => {
  if (!compiled.has(schema)) compiled.set(schema, compileSerializer(schema))
  return compiled.get(schema)
}

/** Serializers are compiled once, when the server starts: an answer is written without being looked at twice. */
export const responseSerializerCompiler: FastifySerializerCompiler<z.ZodType> = (route) =>
  serializerOf(route.schema) ?? serializerCompiler(route as never)
