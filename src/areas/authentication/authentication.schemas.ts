import { z } from 'zod'
import { givenPasswordSchema, newPasswordSchema, passwordIsNotEmail } from '../../http/password.schemas.ts'
import { emailSchema } from '../../http/primitives.schemas.ts'
import { personFields, userResponse } from '../users/users.schemas.ts'
import { notBothCodes, recoveryCodeSchema, totpCodeSchema } from './totp.schemas.ts'

export const registerBody = z
  .strictObject({ email: emailSchema, password: newPasswordSchema, ...personFields })
  .refine(...passwordIsNotEmail)

export const loginBody = z
  .strictObject({
    email: emailSchema,
    password: givenPasswordSchema,
    totpCode: totpCodeSchema.optional().meta({
      description: 'What the authenticator app shows right now. Ignored for an account without a second factor.',
      examples: ['492039'],
    }),
    recoveryCode: recoveryCodeSchema.optional(),
  })
  .refine(...notBothCodes)
  .meta({
    description: 'Who logs in.',
    examples: [{ email: 'maria@example.com', password: 'dois cafés e um pão', totpCode: '492039' }],
  })

export const refreshTokenBody = z.strictObject({
  refreshToken: z
    .string()
    .min(1)
    .max(200)
    .meta({
      description: 'The refresh token of the last login or refresh.',
      examples: ['9nX1cVvQp2kqW0sJr5u7yZ4tB8mE3dL6hF-aGxKoC_I'],
    }),
})

export const tokensResponse = z.object({
  accessToken: z.string().meta({
    description: 'JWT for the header Authorization: Bearer <token>.',
    examples: ['eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJzdWIiOiIwMTkzOWYzZSJ9.c2lnbmF0dXJl'],
  }),
  refreshToken: z.string().meta({
    description: 'Good once, for 30 days, at POST /auth/refresh. A second use ends the session.',
    examples: ['9nX1cVvQp2kqW0sJr5u7yZ4tB8mE3dL6hF-aGxKoC_I'],
  }),
  tokenType: z.literal('Bearer').meta({ description: 'How the access token is sent.', examples: ['Bearer'] }),
  expiresIn: z
    .number()
    .int()
    .meta({ description: 'Seconds until the access token expires.', examples: [900] }),
})

export const loginResponse = z.object({
  user: userResponse.meta({ description: 'Who logged in.' }),
  tokens: tokensResponse.meta({ description: 'The tokens of the new session.' }),
})
