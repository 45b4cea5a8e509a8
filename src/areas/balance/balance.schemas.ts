import { z } from 'zod'
import { amountView, dateSchema, idSchema, timestampView } from '../../http/primitives.schemas.ts'

/** How far ahead the balance tells what will become available. The longest a reserve can be held. */
export const RELEASE_DAYS_MAX = 180

const bucket = (description: string, example = 0) => amountView.meta({ description, examples: [example] })

export const balanceResponse = z
  .object({
    sellerId: idSchema.meta({ description: 'Whose balance it is.' }),
    currency: z.literal('BRL').meta({ description: 'Currency of all amounts.' }),
    availableAmount: bucket(
      'Can be withdrawn now, in centavos. Below zero when a dispute or refund took more than there was.',
      8_911,
    ),
    pendingAmount: bucket('Received, waiting for its settlement date, in centavos.'),
    reservedAmount: bucket('Held back as a reserve, in centavos.', 990),
    blockedAmount: bucket('Blocked by disputes, in centavos.'),
    withdrawingAmount: bucket('On its way to the bank, in centavos.'),
    totalAmount: bucket('All of these together, in centavos.', 9_901),
    nextReleases: z
      .array(
        z
          .object({
            date: dateSchema,
            pendingAmount: bucket('Becomes available from pending, in centavos; a reserve may be held back of it.'),
            reservedAmount: bucket('Becomes available from the reserve, in centavos.', 990),
          })
          .meta({ description: 'What becomes available on one date.' }),
      )
      .max(RELEASE_DAYS_MAX + 1)
      .meta({
        description: `What becomes available by São Paulo date in the next ${RELEASE_DAYS_MAX} days. Days without anything are left out.`,
      }),
    asOf: timestampView.meta({ description: 'The moment that these amounts are of.' }),
  })
  .meta({ description: 'What a seller has, by bucket.' })

export type BalanceView = z.output<typeof balanceResponse>
