import swagger from '@fastify/swagger'
import type { FastifyInstance, FastifySchema, RouteOptions } from 'fastify'
import fastifyPlugin from 'fastify-plugin'
import { createJsonSchemaTransform, jsonSchemaTransformObject } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { ADMIN_ROLES, MEMBER_ROLES, rolesMeeting } from '../../domain/roles.ts'
import { VERSION } from '../../version.ts'
import { withComponents } from '../openapi-components.ts'
import { ERROR_SCHEMAS, errorResponses, withSharedExamples } from '../openapi-errors.ts'
import { withExamples } from '../openapi-examples.ts'
import { type HeaderFacts, headerFactsOf, withDeclaredHeaders } from '../openapi-headers.ts'
import { TAGS } from '../openapi-tags.ts'
import { describeWebhooks, type EventCatalogue, keepExamples } from '../openapi-webhooks.ts'
import { notModifiedResponse } from './large-answers.ts'

const toJsonSchema = createJsonSchemaTransform({ zodToJsonConfig: { override: keepExamples } })

type Options = { publicUrl: string | undefined; events: EventCatalogue }

const DESCRIPTION = `The backend of a payment platform for sellers in Brazil. The [guides](/docs/guides) lead through it, with samples.

- Amounts are integers in centavos (BRL), percentages are numbers in percent.
- Send the access token as \`Authorization: Bearer <token>\`.
- Send \`Idempotency-Key\` with every request that creates something: a repeat with the same key and body gets the first answer again for 24 hours.
- Refusals are problems (RFC 9457) with a stable \`code\`; bad input lists every fault at once.
- Lists have an \`ETag\`: send it as \`If-None-Match\` to get 304 while nothing changed. They are compressed for who accepts it.
- \`RateLimit\` and \`RateLimit-Policy\` say how many requests are left.`

const SIDES = [
  { side: 'seller', people: 'sellers', every: MEMBER_ROLES },
  { side: 'admin', people: 'administrators', every: ADMIN_ROLES },
] as const

const PROOF_WORDS = ' A person must have logged in, or called `POST /auth/step-up`, within the last ten minutes.'

const scopeWords = (scope: string): string =>
  scope === 'interactive'
    ? ', after a login; not with API credentials'
    : `; API credentials need the scope \`${scope}\``

const whoMayCall = ({ config }: RouteOptions): string => {
  const { access, scope, stepUp } = config ?? {}
  if (access === undefined || access === 'public') return 'Who: anybody.'
  const roles = SIDES.flatMap(({ side, people, every }) => {
    const meeting = rolesMeeting(side, access)
    if (meeting.length === 0) return []
    return meeting.length === every.length ? [people] : [`${people} (${meeting.join(', ')})`]
  }).join(' and ')
  return `Who: ${roles}${scope === undefined ? '' : scopeWords(scope)}.${stepUp ? PROOF_WORDS : ''}`
}

const securityOf = ({ config }: RouteOptions): Record<string, string[]>[] => {
  if (config?.access === undefined || config.access === 'public') return []
  const scopes = config.scope === undefined || config.scope === 'interactive' ? [] : [config.scope]
  return [{ bearer: scopes }]
}

const documented = (schema: FastifySchema, route: RouteOptions): FastifySchema => {
  const { description, response } = schema as { description?: string; response?: object }
  return {
    ...schema,
    description: [description, whoMayCall(route)].filter(Boolean).join('\n\n'),
    security: securityOf(route),
    response: { ...response, ...notModifiedResponse(route), ...errorResponses(route) },
  }
}

// The validator's own patterns of formats are hundreds of characters that say nothing to a reader.
const isFormatPattern = (schema: object, name: string) => name === 'pattern' && 'format' in schema

const tidyNode = (value: unknown, parent: Record<string, unknown>, name: string): unknown => {
  if (name === 'description' && value === 'Default Response') return 'Success.'
  if (isFormatPattern(parent, name) && typeof value === 'string') return undefined
  return tidy(value)
}

const tidy = <Document>(node: Document): Document => {
  if (Array.isArray(node)) return node.map((entry) => tidy(entry)) as Document
  if (typeof node !== 'object' || node === null) return node
  const fields = node as Record<string, unknown>
  const entries = Object.entries(fields).map(([name, value]) => [name, tidyNode(value, fields, name)] as const)
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined)) as Document
}

type Body = { requestBody?: { required?: boolean; content?: Record<string, { schema?: Alternatives }> } }

const takesNoBody = ({ body }: FastifySchema): boolean => body instanceof z.ZodType && body.safeParse(undefined).success

type Alternatives = { anyOf?: readonly { type?: unknown }[]; description?: string }

// That nothing was sent is said by the body itself, and not by one of its shapes.
const withoutNull = ({ anyOf, ...rest }: Alternatives): Alternatives => {
  const shapes = anyOf?.filter(({ type }) => type !== 'null') ?? []
  return shapes.length === 1 ? { ...shapes[0], ...rest } : { ...rest, ...(anyOf && { anyOf }) }
}

const leaveOut = (body: NonNullable<Body['requestBody']>): void => {
  body.required = false
  for (const media of Object.values(body.content ?? {})) if (media.schema) media.schema = withoutNull(media.schema)
}

// The generator calls every body required.
const withOptionalBodies = <Document extends object>(document: Document, ids: ReadonlySet<string>): Document => {
  const { paths = {} } = document as { paths?: Record<string, Record<string, Body & { operationId?: string }>> }
  for (const operation of Object.values(paths).flatMap((methods) => Object.values(methods))) {
    if (operation.requestBody && ids.has(operation.operationId ?? '')) leaveOut(operation.requestBody)
  }
  return document
}

type Property = { format?: string; items?: { format?: string } }
type Media = { schema?: { properties?: Record<string, Property> } }

const isFile = ({ format, items }: Property): boolean => format === 'binary' || items?.format === 'binary'

// An operation that takes a form or JSON has one schema for both, and only a form can hold files.
const withoutFilesInJson = <Document extends object>(document: Document): Document => {
  const { paths = {} } = document as {
    paths?: Record<string, Record<string, { requestBody?: { content?: Record<string, Media> } }>>
  }
  for (const { requestBody } of Object.values(paths).flatMap((methods) => Object.values(methods))) {
    const content = requestBody?.content
    const { properties } = content?.['application/json']?.schema ?? {}
    if (content === undefined || properties === undefined || !Object.values(properties).some(isFile)) continue
    const plain = Object.entries(properties).filter(([, property]) => !isFile(property))
    content['application/json'] = {
      schema: { ...content['application/json']?.schema, properties: Object.fromEntries(plain) },
    }
  }
  return document
}

/** The OpenAPI 3.1 document, made from the routes' own schemas, under /openapi.json. */
export const openapiPlugin = fastifyPlugin<Options>(async (app: FastifyInstance, { publicUrl, events }) => {
  const { webhooks, schemas } = describeWebhooks(events)
  const optionalBodies = new Set<string>()
  const headerFacts = new Map<string, HeaderFacts>()
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Payment platform',
        version: VERSION,
        description: DESCRIPTION,
        license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
      },
      servers: [{ url: publicUrl ?? '/' }],
      tags: [...TAGS],
      webhooks: tidy(webhooks) as never,
      components: {
        schemas: { ...structuredClone(ERROR_SCHEMAS), ...tidy(schemas) } as never,
        securitySchemes: {
          bearer: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT', description: 'An access token, 15 minutes.' },
        },
      },
    },
    transform: (document) => {
      const { schema, url } = toJsonSchema(document)
      if (schema === undefined || ('hide' in schema && schema.hide)) return { schema: { hide: true }, url }
      const given = document.schema as FastifySchema & { operationId?: string }
      if (takesNoBody(given)) optionalBodies.add(given.operationId ?? '')
      headerFacts.set(given.operationId ?? '', headerFactsOf(document.route, schema))
      return { schema: documented(schema, document.route), url }
    },
    transformObject: (document) => {
      const described = withOptionalBodies(tidy(jsonSchemaTransformObject(document)), optionalBodies)
      const illustrated = withExamples(withoutFilesInJson(described))
      return withComponents(withSharedExamples(withDeclaredHeaders(illustrated, headerFacts)))
    },
  })

  let text: string | undefined
  app.get(
    '/openapi.json',
    { config: { access: 'public', large: true }, schema: { hide: true } },
    async (_request, reply) => {
      text ??= JSON.stringify(app.swagger())
      return reply.type('application/json; charset=utf-8').header('cache-control', 'no-cache').send(text)
    },
  )
})
