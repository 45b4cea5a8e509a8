import { z } from 'zod'
import { type EventEntry, exampleBody } from '../events/event-catalogue.ts'
import type { EventType } from '../events/event-types.ts'
import { eventEnvelope } from './event-envelope.schemas.ts'

export type EventCatalogue = readonly (readonly [EventType, EventEntry])[]

type JsonSchema = Record<string, unknown>

/** Zod leaves out the examples of fields that it transforms, because they might be of the outcome. Ours are what is sent. */
export const keepExamples: NonNullable<z.core.ToJSONSchemaParams['override']> = ({ zodSchema, jsonSchema }) => {
  const { examples } = z.globalRegistry.get(zodSchema) ?? {}
  if (Array.isArray(examples)) jsonSchema.examples ??= examples
}

const toJsonSchema = (schema: z.ZodType): JsonSchema => {
  const { $schema: _dialect, ...rest } = z.toJSONSchema(schema, { io: 'output', override: keepExamples })
  return rest
}

const header = (name: string, description: string, example: string) => ({
  in: 'header',
  name,
  required: true,
  description,
  schema: { type: 'string', maxLength: 500 },
  example,
})

const HEADERS = [
  header(
    'webhook-id',
    'Id of the event, the same on every attempt and resend: ignore those you have worked on.',
    '01939f3e-9999-7b1e-9d6a-3f5b8c2d1e00',
  ),
  header('webhook-timestamp', 'Unix seconds of this attempt. Refuse what is over five minutes off.', '1795266312'),
  header(
    'webhook-signature',
    'Signatures (Standard Webhooks, `v1`), separated by spaces. One that fits is enough.',
    'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
  ),
]

const RESPONSES = {
  '2XX': { description: 'Delivered. Answer within 15 seconds and work afterwards.' },
  '410': { description: 'Never call this address again: the webhook is disabled.' },
  '4XX': { description: 'Not delivered: tried again, as after every other answer and after none.' },
}

const pascalCase = (type: EventType): string =>
  type.replaceAll(/(?:^|[._])(\w)/g, (_match, letter: string) => letter.toUpperCase())

const bodySchema = (type: EventType, { data }: EventEntry): JsonSchema => {
  const body = toJsonSchema(
    z.object({
      ...eventEnvelope(z.literal(type).meta({ description: 'Type of the event.', examples: [type] })),
      data: z.null(),
    }),
  )
  const properties = { ...(body.properties as object), data: { $ref: `#/components/schemas/${data.name}` } }
  return { title: `${pascalCase(type)}Event`, ...body, properties }
}

const operationId = (type: EventType): string =>
  `on_${type}`.replaceAll(/[._](\w)/g, (_match, letter: string) => letter.toUpperCase())

const operationOf = (type: EventType, entry: EventEntry) => ({
  operationId: operationId(type),
  summary: type,
  description: entry.description,
  // Not that of the operations on webhooks: generators make a class of each tag, and one would replace the other.
  tags: ['Events'],
  security: [],
  parameters: HEADERS,
  requestBody: {
    required: true,
    content: { 'application/json': { schema: bodySchema(type, entry), example: exampleBody(type, entry) } },
  },
  responses: RESPONSES,
})

/** The `webhooks` of an OpenAPI document, one for each type of event, and the schemas that they refer to. */
export const describeWebhooks = (catalogue: EventCatalogue) => ({
  webhooks: Object.fromEntries(catalogue.map(([type, entry]) => [type, { post: operationOf(type, entry) }])),
  schemas: Object.fromEntries(catalogue.map(([, { data }]) => [data.name, toJsonSchema(data.schema)])),
})
