import { z } from 'zod'
import { INSTALLMENTS_MAX } from '../../domain/installments.ts'
import { PAYMENT_METHODS } from '../../domain/payment.ts'
import { amountOrZeroSchema, amountView, percentageSchema, timestampView } from '../../http/primitives.schemas.ts'

const COSTS_MAX = 200
const PROVIDER_MAX = 40

const about = {
  provider: 'Name of the provider, as payments have it.',
  method: 'How the payment is paid.',
  installmentsFrom: 'From how many installments on.',
  installmentsTo: 'Up to how many installments.',
  percentage: 'Part of what was paid, in percent with up to two decimals.',
  fixedAmount: 'Added to the percentage, in centavos.',
} as const

const installments = (description: string) =>
  z
    .number()
    .int()
    .min(1)
    .max(INSTALLMENTS_MAX)
    .default(1)
    .meta({ description, examples: [1] })

const provider = z
  .string()
  .regex(/^[a-z0-9_-]+$/)
  .max(PROVIDER_MAX)
  .meta({ description: about.provider, examples: ['sandbox'] })
const method = z.enum(PAYMENT_METHODS).meta({ description: about.method, examples: ['pix'] })

const costBody = z
  .strictObject({
    provider,
    method,
    installmentsFrom: installments(about.installmentsFrom),
    installmentsTo: installments(about.installmentsTo),
    percentage: percentageSchema.meta({ description: about.percentage, examples: [0.5] }),
    fixedAmount: amountOrZeroSchema.meta({ description: about.fixedAmount, examples: [10] }),
  })
  .refine(({ installmentsFrom, installmentsTo }) => installmentsFrom <= installmentsTo, {
    path: ['installmentsTo'],
    message: 'must not be below installmentsFrom',
  })
  .meta({ description: 'What one method costs at a provider.' })

type Cost = z.output<typeof costBody>

const overlaps = (one: Cost, other: Cost): boolean =>
  one.provider === other.provider &&
  one.method === other.method &&
  one.installmentsFrom <= other.installmentsTo &&
  other.installmentsFrom <= one.installmentsTo

export const providerCostsBody = z
  .strictObject({
    costs: z.array(costBody).max(COSTS_MAX).meta({ description: 'All of them: what is not among them costs nothing.' }),
  })
  .superRefine(({ costs }, context) => {
    for (const [index, cost] of costs.entries()) {
      if (!costs.slice(0, index).some((before) => overlaps(before, cost))) continue
      const message = 'has installments that another one of the same provider and method has'
      context.addIssue({ code: 'custom', path: ['costs', index], message, params: { code: 'overlaps' } })
    }
  })
  .meta({ description: 'The whole table.' })

export type ProviderCostsBody = z.output<typeof providerCostsBody>

const count = (description: string) =>
  z
    .number()
    .int()
    .meta({ description, examples: [1] })

const costView = z
  .object({
    provider: z
      .string()
      .max(PROVIDER_MAX)
      .meta({ description: about.provider, examples: ['sandbox'] }),
    method,
    installmentsFrom: count(about.installmentsFrom),
    installmentsTo: count(about.installmentsTo),
    percentage: z
      .number()
      .min(0)
      .max(100)
      .meta({ description: about.percentage, examples: [0.5] }),
    fixedAmount: amountView.meta({ description: about.fixedAmount, examples: [10] }),
    updatedAt: timestampView,
  })
  .meta({ title: 'ProviderCost', description: 'What one method costs at a provider.' })

export const providerCostsResponse = z
  .object({ costs: z.array(costView).max(COSTS_MAX).meta({ description: 'All that is known.' }) })
  .meta({ title: 'ProviderCosts', description: 'What providers charge the platform.' })
