import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import type { Schema } from './openapi-document.ts'

/** A value that a field must refuse, and why. */
export type BadValue = { why: string; value: unknown }

const typesOf = ({ type }: Schema): string[] => [type ?? []].flat()

/** The alternatives of a schema, or the schema itself. */
export const branchesOf = (schema: Schema): Schema[] =>
  (schema.anyOf ?? schema.oneOf) ? [...(schema.anyOf ?? []), ...(schema.oneOf ?? [])].flatMap(branchesOf) : [schema]

const takes = (schema: Schema, type: string): boolean =>
  branchesOf(schema).some((branch) => typesOf(branch).includes(type))

export const isNullable = (schema: Schema): boolean => takes(schema, 'null')

const OF_TYPE: readonly [types: string[], value: unknown][] = [
  [['string'], 'text'],
  [['integer', 'number'], 12_345],
  [['boolean'], true],
  [['array'], []],
  [['object'], {}],
]

const wrongTypes = (schema: Schema): BadValue[] =>
  OF_TYPE.filter(([types]) => !types.some((type) => takes(schema, type))).map(([[type], value]) => ({
    why: `a value of the type ${type}`,
    value,
  }))

const bad = (why: string, value: unknown): BadValue[] => [{ why, value }]

const BAD_FORMATS: Readonly<Record<string, unknown[]>> = {
  uuid: ['no-uuid', '01939f3e-7c1a-7b1e-9d6a-3f5b8c2d1e0', '01939f3e7c1a7b1e9d6a3f5b8c2d1e00'],
  date: ['2026-02-30', '30/11/2026', '2026-1-1'],
  'date-time': ['2026-02-30T00:00:00.000Z', 'yesterday', '2026-11-21'],
  email: ['nobody', 'a@b@example.com', '@example.com'],
  uri: ['no address', 'javascript:alert(1)'],
}

const LONGEST_TRIED = 100_000

const badTexts = ({ maxLength, minLength, format, pattern, enum: values }: Schema): BadValue[] => [
  ...(maxLength !== undefined && maxLength < LONGEST_TRIED ? bad('too long', 'a'.repeat(maxLength + 1)) : []),
  ...(minLength ? bad('empty', '') : []),
  ...(values ? bad('none of its values', 'none_of_these') : []),
  ...(pattern ? bad('of another form', 'é \u0007') : []),
  ...(BAD_FORMATS[format ?? ''] ?? []).map((value) => ({ why: `not a ${format}`, value })),
]

const badNumbers = (schema: Schema): BadValue[] => [
  ...(schema.minimum === undefined ? [] : bad('too small', schema.minimum - 1)),
  ...(schema.maximum === undefined ? [] : bad('too large', schema.maximum + 1)),
  ...(typesOf(schema).includes('integer') ? bad('not whole', (schema.minimum ?? 0) + 0.5) : []),
  ...(schema.multipleOf === undefined ? [] : bad('too precise', (schema.minimum ?? 0) + schema.multipleOf / 10)),
  ...bad('huge', 1e308),
]

const badLists = ({ maxItems, minItems, items }: Schema, example: unknown): BadValue[] => {
  const item = Array.isArray(example) ? example[0] : items?.enum?.[0]
  return [
    ...(maxItems === undefined ? [] : bad('too many', Array(maxItems + 1).fill(item ?? 'text'))),
    ...(minItems ? bad('too few', []) : []),
  ]
}

const ofBranch = (schema: Schema, example: unknown): BadValue[] => [
  ...(typesOf(schema).includes('string') ? badTexts(schema) : []),
  ...(typesOf(schema).some((type) => type === 'integer' || type === 'number') ? badNumbers(schema) : []),
  ...(typesOf(schema).includes('array') ? badLists(schema, example) : []),
]

const ajv = new Ajv2020({ strict: false })
addFormats.default(ajv)

// What breaks a rule of one alternative may be just what another takes.
const takenByNone = (branches: readonly Schema[], values: readonly BadValue[]): BadValue[] => {
  const isTaken = ajv.compile({ anyOf: branches })
  return values.filter(({ value }) => !isTaken(value))
}

/** Values that break each rule that a schema states, one rule at a time. With alternatives: what none of them takes. */
export const badValues = (schema: Schema, example?: unknown): BadValue[] => {
  const branches = branchesOf(schema).filter((branch) => !typesOf(branch).includes('null'))
  const broken = branches.flatMap((branch) => ofBranch(branch, example))
  return [
    ...wrongTypes(schema),
    ...(isNullable(schema) ? [] : bad('null', null)),
    ...(branches.length > 1 ? takenByNone(branches, broken) : broken),
  ]
}

type Place = { path: string[]; schema: Schema; required: boolean }

/** Every field of a body, with those inside of its objects. */
export const fieldsOf = (schema: Schema, path: string[] = []): Place[] =>
  branchesOf(schema).flatMap(({ properties = {}, required = [] }) =>
    Object.entries(properties).flatMap(([name, field]) => [
      { path: [...path, name], schema: field, required: required.includes(name) },
      ...fieldsOf(field, [...path, name]),
    ]),
  )

/** The objects of a body that take no other fields than theirs. */
export const closedObjects = (schema: Schema, path: string[] = []): string[][] => [
  ...(branchesOf(schema).some(({ additionalProperties }) => additionalProperties === false) ? [path] : []),
  ...branchesOf(schema).flatMap(({ properties = {} }) =>
    Object.entries(properties).flatMap(([name, field]) => closedObjects(field, [...path, name])),
  ),
]

/** A copy of a body with one field set; `undefined` takes it away. Objects on the way are made from examples. */
export const withField = (body: unknown, [name, ...rest]: readonly string[], value: unknown): unknown => {
  if (name === undefined) return value
  const fields = typeof body === 'object' && body !== null ? body : {}
  const inner = (fields as Record<string, unknown>)[name]
  return { ...fields, [name]: withField(inner, rest, value) }
}

/** What the lists among the alternatives of a field hold. */
export const itemsOf = (schema: Schema): Schema[] => branchesOf(schema).flatMap(({ items }) => items ?? [])
