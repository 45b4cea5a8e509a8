import { z } from 'zod'
import { pageQuery } from '../../http/list-query.schemas.ts'
import { idSchema, timestampView } from '../../http/primitives.schemas.ts'

export const sessionsQuery = pageQuery({})

export const sessionParams = z.strictObject({ id: idSchema, sessionId: idSchema })

export const userSessionResponse = z
  .object({
    id: idSchema,
    createdAt: timestampView.meta({ description: 'When the login was made.' }),
    lastUsedAt: timestampView.meta({ description: 'When tokens were last made.' }),
    expiresAt: timestampView.meta({ description: 'When the session ends, however often its tokens are renewed.' }),
    ipAddress: z
      .string()
      .nullable()
      .meta({ description: 'Where the login came from.', examples: ['203.0.113.7'] }),
    userAgent: z
      .string()
      .nullable()
      .meta({ description: 'What the login was made with, as it said itself.', examples: ['Mozilla/5.0'] }),
    current: z.boolean().meta({ description: 'Whether it is the session that asks.', examples: [true] }),
  })
  .meta({ title: 'UserSession', description: 'A login that has not ended.' })
