import { z } from 'zod'
import { SCOPES } from '../../domain/actor.ts'
import { isAddressOrNetwork } from '../../http/address-list.ts'
import { timestampView } from '../../http/primitives.schemas.ts'

const ALLOWED_IPS_MAX = 50

const clientIdSchema = z
  .string()
  .min(1)
  .max(100)
  .meta({ description: 'Names the credentials.', examples: ['cli_5f1c2b7a9d3e4f60a1b2c3d4'] })

export const integrationLoginBody = z.strictObject({
  clientId: clientIdSchema,
  clientSecret: z
    .string()
    .min(1)
    .max(200)
    .meta({
      description: 'The secret, shown once when it was rotated.',
      examples: ['sk_Zm9yIGRvY3VtZW50YXRpb24gb25seQ'],
    }),
})

const scopeSchema = z.enum(SCOPES)

export const integrationLoginResponse = z.object({
  accessToken: z.string().meta({
    description: 'JWT for the header Authorization: Bearer <token>, with the role seller.',
    examples: ['eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJzdWIiOiIwMTkzOWYzZSJ9.c2lnbmF0dXJl'],
  }),
  tokenType: z.literal('Bearer').meta({ description: 'How the access token is sent.', examples: ['Bearer'] }),
  expiresIn: z
    .number()
    .int()
    .meta({ description: 'Seconds until the access token expires. Log in again then.', examples: [900] }),
  access_token: z
    .string()
    .optional()
    .meta({
      description: 'The access token under its OAuth 2 name, when the request was a form.',
      examples: ['eyJhbGciOi'],
    }),
  token_type: z
    .literal('Bearer')
    .optional()
    .meta({ description: 'The token type under its OAuth 2 name, when the request was a form.', examples: ['Bearer'] }),
  expires_in: z
    .number()
    .int()
    .optional()
    .meta({ description: 'The lifetime under its OAuth 2 name, when the request was a form.', examples: [900] }),
  scope: z
    .string()
    .optional()
    .meta({
      description: 'The scopes of the token, with spaces between, when the request was a form.',
      examples: ['payments:read payments:write'],
    }),
})

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
    .meta({ ...scopesMeta, description: 'What tokens of these credentials may do. Taking one away works at once.' }),
  allowedIps: z.array(networkSchema).max(ALLOWED_IPS_MAX).optional().meta(allowedIpsMeta),
  rotateSecret: z
    .literal(true)
    .optional()
    .meta({
      description: 'Makes a new secret and shows it in this answer, once. The one before works for 24 more hours.',
      examples: [true],
    }),
})

export const credentialsResponse = z.object({
  clientId: clientIdSchema,
  clientSecretLast4: z
    .string()
    .nullable()
    .meta({ description: 'The end of the secret. Null: none was made yet.', examples: ['9XwQ'] }),
  scopes: z.array(scopeSchema).max(SCOPES.length).meta(scopesMeta),
  allowedIps: z.array(z.string()).max(ALLOWED_IPS_MAX).meta(allowedIpsMeta),
  createdAt: timestampView,
  lastUsedAt: timestampView.nullable().meta({ description: 'When they last logged in.', examples: [null] }),
  previousSecretValidUntil: timestampView
    .nullable()
    .meta({ description: 'Until when the secret before this one works, if it still does.', examples: [null] }),
})

export const rotatedCredentialsResponse = credentialsResponse.extend({
  clientSecret: z
    .string()
    .optional()
    .meta({
      description: 'The new secret, only when it was rotated. It is never shown again.',
      examples: ['sk_Zm9yIGRvY3VtZW50YXRpb24gb25seQ'],
    }),
})
