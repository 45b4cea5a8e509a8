import { z } from 'zod'
import { givenPasswordSchema, newPasswordSchema, passwordIsNotOwn } from '../../http/password.schemas.ts'
import { emailSchema } from '../../http/primitives.schemas.ts'
import { personFields, userResponse } from '../users/users.schemas.ts'
import { notBothCodes, recoveryCodeSchema, totpCodeSchema } from './totp.schemas.ts'

export const registerBody = z
  .strictObject({ email: emailSchema, password: newPasswordSchema, ...personFields })
  .refine(...passwordIsNotOwn)

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

export const stepUpBody = z
  .strictObject({ password: givenPasswordSchema.optional(), totpCode: totpCodeSchema.optional() })
  .refine(({ password, totpCode }) => (password === undefined) !== (totpCode === undefined), {
    path: ['password'],
    message: 'send the password or a code of the app',
  })
  .meta({
    description: 'The password, or a code of the second factor.',
    examples: [{ password: 'dois cafés e um pão' }],
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

export const tokensResponse = z
  .object({
    accessToken: z.string().meta({
      description: 'JWT for the header Authorization: Bearer <token>.',
      examples: ['eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJzdWIiOiIwMTkzOWYzZSJ9.c2lnbmF0dXJl'],
    }),
    refreshToken: z.string().meta({
      description:
        'Good once, at POST /auth/refresh: within a week, an administrator’s within half an hour, unless the platform says otherwise. A second use ends the session.',
      examples: ['9nX1cVvQp2kqW0sJr5u7yZ4tB8mE3dL6hF-aGxKoC_I'],
    }),
    tokenType: z.literal('Bearer').meta({ description: 'How the access token is sent.', examples: ['Bearer'] }),
    expiresIn: z
      .number()
      .int()
      .meta({ description: 'Seconds until the access token expires.', examples: [900] }),
  })
  .meta({ title: 'Tokens', description: 'An access token, and the refresh token for the next one.' })

export const loginResponse = z
  .object({
    user: userResponse.meta({ description: 'Who logged in.' }),
    tokens: tokensResponse.meta({ description: 'The tokens of the new session.' }),
  })
  .meta({ title: 'Session', description: 'Who logged in, and their tokens.' })
