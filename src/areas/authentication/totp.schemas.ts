import { z } from 'zod'
import { givenPasswordSchema } from '../../http/password.schemas.ts'
import { timestampView } from '../../http/primitives.schemas.ts'

export const totpCodeSchema = z
  .string()
  .regex(/^\d{6}$/, 'must be six digits')
  .max(6)
  .meta({ description: 'What the authenticator app shows right now. Each code is good once.', examples: ['492039'] })

export const recoveryCodeSchema = z
  .string()
  .trim()
  .min(1)
  .max(40)
  .meta({
    description: 'One of the recovery codes, instead of a code of the app. Each is good once.',
    examples: ['7QZK-M2XA-9BVT-4HDP-KC3N-W5EU'],
  })

const ONE_OF_TWO = 'send a code of the app or a recovery code, not both'

type Proof = { totpCode?: string | undefined; recoveryCode?: string | undefined }

/** Of a body with both kinds of codes: at most one of them. */
export const notBothCodes = [
  ({ totpCode, recoveryCode }: Proof) => totpCode === undefined || recoveryCode === undefined,
  { path: ['recoveryCode'], message: ONE_OF_TWO },
] satisfies [(body: Proof) => boolean, z.core.$ZodCustomParams]

export const beginTotpBody = z.strictObject({
  currentPassword: givenPasswordSchema,
})

export const beginTotpResponse = z
  .object({
    secret: z
      .string()
      .max(32)
      .meta({
        description: 'To type into an authenticator app: base32, 160 bits.',
        examples: ['JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP'],
      }),
    otpauthUrl: z
      .string()
      .max(1_024)
      .meta({
        format: 'uri',
        description: 'The same for a QR code. Six digits, 30 seconds, SHA-1.',
        examples: [
          'otpauth://totp/Payment%20platform:maria%40example.com?secret=JBSWY3DPEHPK3PXP&issuer=Payment%20platform',
        ],
      }),
  })
  .meta({ title: 'TotpSecret', description: 'A secret for an authenticator app.' })

export const confirmTotpBody = z.strictObject({ totpCode: totpCodeSchema })

export const confirmTotpResponse = z
  .object({
    recoveryCodes: z
      .array(z.string().max(40))
      .max(10)
      .meta({
        description: 'Each opens the account once without the app. They are never shown again.',
        examples: [['7QZK-M2XA-9BVT-4HDP-KC3N-W5EU']],
      }),
  })
  .meta({ title: 'RecoveryCodes', description: 'Codes for when the authenticator app is lost.' })

export const disableTotpBody = z
  .strictObject({ totpCode: totpCodeSchema.optional(), recoveryCode: recoveryCodeSchema.optional() })
  .refine(({ totpCode, recoveryCode }) => (totpCode === undefined) !== (recoveryCode === undefined), {
    path: ['totpCode'],
    message: 'send a code of the app or a recovery code',
  })
  .meta({ description: 'A code of the second factor itself.', examples: [{ totpCode: '492039' }] })

export const totpResponse = z
  .object({
    status: z.enum(['disabled', 'pending', 'enabled']).meta({
      description: '`pending`: there is a secret, and log-ins need no code until its first one is confirmed.',
      examples: ['enabled'],
    }),
    enabledAt: timestampView.nullable().meta({ description: 'Since when log-ins need a code, if they do.' }),
    recoveryCodesLeft: z
      .number()
      .int()
      .min(0)
      .meta({ description: 'How many recovery codes were not used.', examples: [10] }),
  })
  .meta({ title: 'Totp', description: 'Whether an account asks for a second factor.' })
