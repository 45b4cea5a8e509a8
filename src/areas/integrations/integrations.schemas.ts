import { z } from 'zod'
import { isAddressOrNetwork } from '../../address-list.ts'
import { SCOPES } from '../../domain/actor.ts'
import { timestampView } from '../../http/primitives.schemas.ts'

const ALLOWED_IPS_MAX = 50

const clientIdSchema = z
  .string()
  .min(1)
  .max(100)
  .meta({ description: 'Names the credentials.', examples: ['cli_5f1c2b7a9d3e4f60a1b2c3d4'] })

// What is sent without a value counts as left out (RFC 6749, 3.2). The names in camel case are those of before.
const OLD_NAMES: ReadonlyMap<string, string> = new Map([
  ['clientId', 'client_id'],
  ['clientSecret', 'client_secret'],
])

// Without a body everything is left out: the header may say all that there is to say.
const named = (sent: unknown): unknown => {
  const body = sent ?? {}
  if (typeof body !== 'object' || Array.isArray(body)) return body
  const given = Object.entries(body).filter(([, value]) => value !== undefined && value !== '')
  const names = new Set(given.map(([name]) => name))
  const nameOf = (name: string): string => {
    const standard = OLD_NAMES.get(name)
    return standard === undefined || names.has(standard) ? name : standard
  }
  return Object.fromEntries(given.map(([name, value]) => [nameOf(name), value]))
}

const SCOPE_MAX = 1_000

export const integrationLoginBody = z.preprocess(
  named,
  z
    .strictObject({
      grant_type: z
        .string()
        .max(100)
        .optional()
        .meta({
          description: 'The grant. There is one: `client_credentials`, also where it is left out.',
          examples: ['client_credentials'],
        }),
      client_id: clientIdSchema.optional().meta({ description: 'The `clientId`, unless the header says it.' }),
      client_secret: z
        .string()
        .max(200)
        .optional()
        .meta({
          description: 'The secret, shown once when it was rotated, unless the header says it.',
          examples: ['sk_Zm9yIGRvY3VtZW50YXRpb24gb25seQ'],
        }),
      scope: z
        .string()
        .max(SCOPE_MAX)
        .optional()
        .meta({
          description: 'Scopes with spaces between, of those that the credentials have. Left out: all of them.',
          examples: ['payments:read payments:write'],
        }),
    })
    .meta({
      description: 'A request for a token (RFC 6749, 4.4.2).',
      examples: [
        {
          grant_type: 'client_credentials',
          client_id: 'cli_5f1c2b7a9d3e4f60a1b2c3d4',
          client_secret: 'sk_Zm9yIGRvY3VtZW50YXRpb24gb25seQ',
        },
      ],
    }),
)

export type IntegrationLoginBody = z.output<typeof integrationLoginBody>

const scopeSchema = z.enum(SCOPES)

// Open, because for one version more some answers also have the names in camel case.
export const integrationLoginResponse = z
  .looseObject({
    access_token: z.string().meta({
      description: 'JWT for the header Authorization: Bearer <token>, with the role seller.',
      examples: ['eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJzdWIiOiIwMTkzOWYzZSJ9.c2lnbmF0dXJl'],
    }),
    token_type: z.literal('Bearer').meta({ description: 'How the access token is sent.', examples: ['Bearer'] }),
    expires_in: z
      .number()
      .int()
      .meta({ description: 'Seconds until the access token expires. Log in again then.', examples: [900] }),
    scope: z.string().meta({
      description: 'The scopes of the token, with spaces between.',
      examples: ['payments:read payments:write'],
    }),
  })
  .meta({ title: 'AccessToken', description: 'A token (RFC 6749, 5.1).', additionalProperties: true })

const networkSchema = z
  .string()
  .trim()
  .toLowerCase()
  .max(43)
  .refine(isAddressOrNetwork, 'must be an IP address or a network like 203.0.113.0/24')

const allowedIpsMeta = {
  description: 'Addresses and networks (CIDR), IPv4 or IPv6, that these credentials work from. Empty: from everywhere.',
  examples: [['203.0.113.7', '2001:db8::/32']],
}

const scopesMeta = {
  description: 'What tokens of these credentials may do.',
  examples: [['payments:read', 'payments:write']],
}

export const updateCredentialsBody = z.strictObject({
  scopes: z
    .array(scopeSchema)
    .max(SCOPES.length)
    .refine((scopes) => new Set(scopes).size === scopes.length, 'must not name a scope twice')
    .optional()
    .meta({
      ...scopesMeta,
      description:
        'What tokens of these credentials may do: all of them, as the ones before are replaced. Taking one away works at once. At first they are those of payments, links, customers, balance, statement and fees.',
    }),
  allowedIps: z.array(networkSchema).max(ALLOWED_IPS_MAX).optional().meta(allowedIpsMeta),
  // Not a literal: generators know no boolean with one value.
  rotateSecret: z
    .boolean()
    .refine((rotates) => rotates, 'must be true, or left out')
    .optional()
    .meta({
      description: 'Makes a new secret and shows it in this answer, once. The one before works for 24 more hours.',
      examples: [true],
    }),
  revokeNow: z
    .boolean()
    .refine((revokes) => revokes, 'must be true, or left out')
    .optional()
    .meta({
      description: 'Ends the secret before this one, or the one that is rotated, at once, with every token made by it.',
      examples: [true],
    }),
})

export const credentialsResponse = z
  .object({
    clientId: clientIdSchema,
    clientSecretLast4: z
      .string()
      .max(4)
      .nullable()
      .meta({ description: 'The end of the secret. Null: none was made yet.', examples: ['9XwQ'] }),
    scopes: z.array(scopeSchema).max(SCOPES.length).meta(scopesMeta),
    allowedIps: z.array(z.string().max(43)).max(ALLOWED_IPS_MAX).meta(allowedIpsMeta),
    createdAt: timestampView,
    lastUsedAt: timestampView.nullable().meta({ description: 'When they last logged in.', examples: [null] }),
    previousSecretValidUntil: timestampView
      .nullable()
      .meta({ description: 'Until when the secret before this one works, if it still does.', examples: [null] }),
  })
  .meta({ title: 'Credentials', description: 'What a seller’s own server logs in with.' })

export const rotatedCredentialsResponse = credentialsResponse
  .extend({
    clientSecret: z
      .string()
      .optional()
      .meta({
        description: 'The new secret, only when it was rotated. It is never shown again.',
        examples: ['sk_Zm9yIGRvY3VtZW50YXRpb24gb25seQ'],
      }),
  })
  .meta({ title: 'RotatedCredentials', description: 'The same, with the new secret where there is one.' })
