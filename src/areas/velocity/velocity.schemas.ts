import { z } from 'zod'
import { VELOCITY_SUBJECTS } from '../../domain/velocity.ts'

const FAILURES_MAX = 100_000
/** A week: as long as counters are kept. */
const MINUTES_MAX = 7 * 24 * 60

const minutes = (description: string, example: number) =>
  z
    .number()
    .int()
    .min(1)
    .max(MINUTES_MAX)
    .meta({ description, examples: [example] })

const fields = {
  subject: z.enum(VELOCITY_SUBJECTS).meta({
    description:
      'What declined cards are counted for: the payment link, the card, or the network address of the payer.',
    examples: ['address'],
  }),
  failuresMax: z
    .number()
    .int()
    .min(2)
    .max(FAILURES_MAX)
    .meta({ description: 'How many declined cards begin the first wait.', examples: [10] }),
  withinMinutes: minutes('How long after the first of them they are counted together.', 1_440),
  firstWaitMinutes: minutes('The first wait. Each further declined card doubles it.', 15),
  longestWaitMinutes: minutes('The longest wait.', 1_440),
  isActive: z.boolean().meta({ description: 'Whether the rule is in force.', examples: [true] }),
}

export const putVelocityRulesBody = z
  .strictObject({
    rules: z
      .array(
        z
          .strictObject(fields)
          .refine(({ firstWaitMinutes, longestWaitMinutes }) => firstWaitMinutes <= longestWaitMinutes, {
            path: ['longestWaitMinutes'],
            message: 'must not be shorter than the first wait',
          }),
      )
      .min(1)
      .max(VELOCITY_SUBJECTS.length)
      .refine((rules) => new Set(rules.map(({ subject }) => subject)).size === rules.length, {
        message: 'must not name a subject twice',
      })
      .meta({ description: 'The rules to replace. Subjects that are left out keep theirs.' }),
  })
  .meta({ description: 'How declined cards slow payers down.' })

export const velocityRulesResponse = z
  .object({
    rules: z
      .array(z.object(fields).meta({ title: 'VelocityRule', description: 'How declined cards slow one subject down.' }))
      .max(VELOCITY_SUBJECTS.length)
      .meta({ description: 'One rule for each subject.' }),
  })
  .meta({ title: 'VelocityRules', description: 'How declined cards slow payers down.' })
