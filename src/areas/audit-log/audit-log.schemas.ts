import { z } from 'zod'
import { listQuery } from '../../http/list-query.schemas.ts'
import { listResponse } from '../../http/pagination.ts'
import { idSchema, text, timestampView } from '../../http/primitives.schemas.ts'

const NAME_MAX = 60

const state = (description: string, example: unknown) =>
  z
    .record(z.string().max(NAME_MAX), z.unknown())
    .nullable()
    .meta({ description, examples: [example] })

export const auditResponse = z
  .object({
    id: idSchema,
    actorId: idSchema.meta({ description: 'The user who acted. All zeros: nobody that the platform knows.' }),
    actorRole: z
      .string()
      .max(NAME_MAX)
      .meta({
        description: 'In which role: `admin`, `seller`, or `nobody` for who guessed at a log-in.',
        examples: ['admin'],
      }),
    action: z
      .string()
      .max(NAME_MAX)
      .meta({ description: 'What was done.', examples: ['company.approve'] }),
    targetType: z
      .string()
      .max(NAME_MAX)
      .meta({ description: 'What it was done to.', examples: ['company'] }),
    targetId: idSchema.meta({ description: 'Which one.' }),
    sellerId: idSchema.nullable().meta({ description: 'The seller it concerns, if any.' }),
    before: state('What changed, as it was. Personal data is masked.', { status: 'awaiting_approval' }),
    after: state('What changed, as it became. Personal data is masked.', { status: 'approved' }),
    createdAt: timestampView,
  })
  .meta({ title: 'AuditEntry', description: 'Something that was done, and by whom.' })

export const auditLogResponse = listResponse(auditResponse, 'acts')

const filters = {
  actorId: idSchema.optional().meta({ description: 'Only what this user did.' }),
  targetId: idSchema.optional().meta({ description: 'Only what was done to this.' }),
  sellerId: idSchema.optional().meta({ description: 'Only what concerns this seller.' }),
  action: text(NAME_MAX)
    .optional()
    .meta({ description: 'Only this action.', examples: ['company.approve'] }),
}

export const auditLogQuery = listQuery(filters, { cursors: true })

export type AuditLogQuery = z.output<typeof auditLogQuery>
