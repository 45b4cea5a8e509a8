import { z } from 'zod'
import { RECONCILIATION_STATUSES, STATEMENT_FORMATS } from '../../domain/reconciliation.ts'
import { listQuery } from '../../http/list-query.schemas.ts'
import { listResponse } from '../../http/pagination.ts'
import { dateSchema, idSchema, timestampView } from '../../http/primitives.schemas.ts'
import { providerName } from './reconciliation.schemas.ts'

/** A day of a million lines, with room. */
export const STATEMENT_BYTES_MAX = 256 * 1_024 * 1_024
export const STATEMENT_LINES_MAX = 2_000_000

const day = dateSchema.meta({ description: 'Day of São Paulo.', examples: ['2026-11-20'] })
const format = z.enum(STATEMENT_FORMATS).meta({
  description: 'Shape of the file: `csv` is the platform’s own, `efi` the reconciliation statement that Efí makes.',
  examples: ['csv'],
})

/** The texts of the form, which the handler reads as a stream and judges by this. */
export const statementTexts = z.strictObject({ provider: providerName, date: day, format: format.default('csv') })

// The parts are read as a stream by the handler: this only documents the form.
export const statementForm = z.any().meta({
  type: 'object',
  additionalProperties: false,
  properties: {
    provider: { type: 'string', maxLength: 40, description: 'Name of the provider.', examples: ['sandbox'] },
    date: {
      type: 'string',
      format: 'date',
      maxLength: 10,
      description: 'Day of São Paulo, which must be over.',
      examples: ['2026-11-20'],
    },
    format: {
      type: 'string',
      enum: [...STATEMENT_FORMATS],
      description: 'Shape of the file: `csv` if it is left out, `efi` for the reconciliation statement that Efí makes.',
    },
    file: {
      type: 'string',
      format: 'binary',
      contentMediaType: 'text/csv',
      maxLength: STATEMENT_BYTES_MAX,
      description:
        'CSV in UTF-8 with a header, up to 256 MiB and 2,000,000 lines: `kind` (charge, refund, payout, dispute), `reference`, `amount` in centavos, `happened_at`, and where they are known `end_to_end_id` and `fee_amount`. With `efi` the file as Efí gives it, from its header (CA) to its trailer (T).',
    },
  },
  required: ['provider', 'date', 'file'],
  description: 'A provider’s statement of one day.',
})

const whole = (description: string, example: number) =>
  z
    .number()
    .int()
    .min(0)
    .meta({ description, examples: [example] })

export const statementResponse = z
  .object({
    id: idSchema,
    provider: z
      .string()
      .max(40)
      .meta({ description: 'Name of the provider.', examples: ['sandbox'] }),
    date: day,
    format,
    size: whole('Size of the file in bytes.', 48_211),
    sha256: z
      .string()
      .length(64)
      .meta({
        description: 'SHA-256 of the file, in hexadecimal.',
        examples: ['9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08'],
      }),
    linesCount: whole('Lines without the header.', 318),
    reconciliationId: idSchema.meta({ description: 'The reconciliation of that day, which is run again with it.' }),
    createdAt: timestampView,
    updatedAt: timestampView,
  })
  .meta({ title: 'ProviderStatement', description: 'A file that counts as a provider’s statement of a day.' })

const listedStatement = statementResponse
  .extend({
    createdBy: idSchema.meta({ description: 'The administrator who handed it in.' }),
    isCurrent: z.boolean().meta({
      description: 'Whether it is what its day is compared with: of several of a day the one handed in last.',
      examples: [true],
    }),
    reconciliationStatus: z
      .enum(RECONCILIATION_STATUSES)
      .meta({ description: 'Where the reconciliation of its day stands.', examples: ['balanced'] }),
  })
  .meta({ title: 'ListedProviderStatement', description: 'A file that was handed in, and what became of it.' })

export const statementsResponse = listResponse(listedStatement, 'statements')
export const statementsQuery = listQuery({}, { cursors: true })
export type StatementsQuery = z.output<typeof statementsQuery>
