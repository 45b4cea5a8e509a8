import swagger from '@fastify/swagger'
import type { FastifyInstance, FastifySchema, RouteOptions } from 'fastify'
import fastifyPlugin from 'fastify-plugin'
import { createJsonSchemaTransform, jsonSchemaTransformObject } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { VERSION } from '../../version.ts'
import { ERROR_SCHEMAS, errorResponses } from '../openapi-errors.ts'
import { withExamples } from '../openapi-examples.ts'
import { TAGS } from '../openapi-tags.ts'
import { describeWebhooks, type EventCatalogue, keepExamples } from '../openapi-webhooks.ts'

const toJsonSchema = createJsonSchemaTransform({ zodToJsonConfig: { override: keepExamples } })

type Options = { publicUrl: string | undefined; events: EventCatalogue }

const DESCRIPTION = `The backend of a payment platform for sellers in Brazil.

- Amounts are integers in centavos (BRL), percentages are numbers in percent.
- Send the access token as \`Authorization: Bearer <token>\`.
- Send \`Idempotency-Key\` with every request that creates something: a repeat with the same key and body gets the first answer again for 24 hours.
- Refusals are problems (RFC 9457) with a stable \`code\`; bad input lists every fault at once.
- \`RateLimit\` and \`RateLimit-Policy\` say how many requests are left.`

const whoMayCall = ({ config }: RouteOptions): string => {
  const { access, scope } = config ?? {}
  if (access === undefined || access === 'public') return 'Who: anybody.'
  const roles = access.map((role) => (role === 'admin' ? 'administrators' : 'sellers')).join(' and ')
  if (scope === undefined) return `Who: ${roles}.`
  if (scope === 'interactive') return `Who: ${roles}, after a login; not with API credentials.`
  return `Who: ${roles}; API credentials need the scope \`${scope}\`.`
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
    response: { ...response, ...errorResponses(route) },
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

type Body = { requestBody?: { required?: boolean } }

const takesNoBody = ({ body }: FastifySchema): boolean => body instanceof z.ZodType && body.safeParse(undefined).success

// The generator calls every body required.
const withOptionalBodies = <Document extends object>(document: Document, ids: ReadonlySet<string>): Document => {
  const { paths = {} } = document as { paths?: Record<string, Record<string, Body & { operationId?: string }>> }
  for (const operation of Object.values(paths).flatMap((methods) => Object.values(methods))) {
    if (operation.requestBody && ids.has(operation.operationId ?? '')) operation.requestBody.required = false
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
      return { schema: documented(schema, document.route), url }
    },
    transformObject: (document) =>
      withExamples(withoutFilesInJson(withOptionalBodies(tidy(jsonSchemaTransformObject(document)), optionalBodies))),
  })

  let text: string | undefined
  app.get('/openapi.json', { config: { access: 'public' }, schema: { hide: true } }, async (_request, reply) => {
    text ??= JSON.stringify(app.swagger())
    return reply.type('application/json; charset=utf-8').header('cache-control', 'no-cache').send(text)
  })
})
