import { isDeepStrictEqual } from 'node:util'

type Node = Readonly<Record<string, unknown>>

const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null && !Array.isArray(value)

// What is said of a schema where it is used does not make it another one.
const shapeOf = ({ title: _title, description: _description, ...shape }: Node): Node => shape

const isNull = (schema: unknown): boolean => isNode(schema) && schema.type === 'null'

const isObjectOrNull = (schema: unknown): boolean =>
  isNode(schema) &&
  Array.isArray(schema.anyOf) &&
  schema.anyOf.some(isNull) &&
  schema.anyOf.some((shape) => isNode(shape) && '$ref' in shape)

// They are always there, be it as null. But openapi-generator's Java looks into each object that is required.
const withoutNulls = ({ required, ...schema }: Node): Node => {
  const { properties } = schema
  if (!Array.isArray(required) || !isNode(properties))
    return { ...schema, ...(required === undefined ? {} : { required }) }
  return { ...schema, required: required.filter((name) => !isObjectOrNull(properties[name])) }
}

const createComponents = () => {
  const schemas = new Map<string, Node>()

  const add = (title: string, schema: Node): void => {
    const known = schemas.get(title)
    if (known !== undefined && !isDeepStrictEqual(shapeOf(known), shapeOf(schema))) {
      throw new Error(`two different schemas have the title ${title}`)
    }
    if (known === undefined) schemas.set(title, schema)
  }

  const within = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(reference)
    return isNode(value) ? inside(value) : value
  }

  const inside = (node: Node): Node =>
    Object.fromEntries(
      Object.entries(node).map(([name, value]) => [name, name === 'example' ? value : reference(value)]),
    )

  /** The same with every object schema that has a title in it replaced by a reference to the one of that name. */
  const reference = (value: unknown): unknown => {
    if (!isNode(value) || value.type !== 'object' || typeof value.title !== 'string') return within(value)
    const { title: _title, ...schema } = inside(value)
    add(value.title, withoutNulls(schema))
    return { $ref: `#/components/schemas/${value.title}` }
  }

  return { schemas, inside, reference }
}

type Document = { components?: { schemas?: Readonly<Record<string, unknown>> } }

/**
 * Names the schemas of an OpenAPI document: every object schema with a `title` stands once, under that name, in
 * `components.schemas`. Throws where two that differ have the same title.
 */
export const withComponents = <Whole extends object>(document: Whole): Whole => {
  const { schemas, inside, reference } = createComponents()
  const { components = {}, ...rest } = document as Document
  const given = Object.entries(components.schemas ?? {}).map(([name, schema]) => {
    const { title: _title, ...shown } = isNode(schema) ? inside(schema) : {}
    return [name, shown] as const
  })
  const referring = reference(rest) as Whole
  const named = [...schemas].sort(([left], [right]) => (left < right ? -1 : 1))
  return { ...referring, components: { ...components, schemas: Object.fromEntries([...given, ...named]) } }
}
