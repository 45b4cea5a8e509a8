import { z } from 'zod'
import { INSTALLMENTS_MAX } from '../../domain/installments.ts'
import { amountView, dateSchema, idSchema, timestampView } from '../../http/primitives.schemas.ts'

/** The last part of a card may settle after that many days, and a few more where banks are closed. */
const RELEASE_DAYS_MAX = 366 * INSTALLMENTS_MAX

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
    frozenReserveAmount: bucket('Of the reserve: kept by open disputes, so that no date releases it, in centavos.'),
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
      .max(RELEASE_DAYS_MAX)
      .meta({
        description:
          'All that becomes available, by São Paulo date; days without anything are left out. Together they are `pendingAmount`, and `reservedAmount` less `frozenReserveAmount`.',
      }),
    asOf: timestampView.meta({ description: 'The moment that these amounts are of.' }),
  })
  .meta({ title: 'Balance', description: 'What a seller has, by bucket.' })

export type BalanceView = z.output<typeof balanceResponse>
