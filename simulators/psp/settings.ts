import { z } from 'zod'
import type { Store } from './store.ts'

/** What becomes of refunds or payouts that the PSP has accepted. */
const outcomeSchema = z.strictObject({
  outcome: z.enum(['settle', 'fail', 'hang']).default('settle'),
  /** How long it takes, on the PSP's clock. */
  afterMs: z.int().min(0).max(31_536_000_000).default(0),
  /** Told where it fails. */
  reason: z.string().max(140).optional(),
  /** For how many; after those, they settle at once again. Without it, for all. */
  count: z.int().min(1).optional(),
})

export type Outcome = z.infer<typeof outcomeSchema>

const takenIdSchema = z.enum(['same', 'refused'])

const settingsSchema = z.strictObject({
  refunds: outcomeSchema,
  payouts: outcomeSchema,
  /** How long a reconciliation statement takes, on the PSP's clock. */
  reportsAfterMs: z.int().min(0),
  tokenSeconds: z.int().min(1),
  /** Whether the same request under a known id gets the first answer again or is refused. Another content always is. */
  repeatedCharge: takenIdSchema,
  repeatedRefund: takenIdSchema,
  repeatedPayout: takenIdSchema,
  /** Waits between attempts at a callback that was not answered with 2xx, on the PSP's clock. Then it gives up. */
  callbackRetrySeconds: z.array(z.int().min(0)).max(20),
  callbackTimeoutMs: z.int().min(1),
})

export type SettingsValues = z.infer<typeof settingsSchema> & {
  /** How far the PSP's clock is off real time. */
  clockOffsetMs: number
}

const SETTLE: Outcome = { outcome: 'settle', afterMs: 0 }

const DEFAULTS: SettingsValues = {
  clockOffsetMs: 0,
  refunds: SETTLE,
  payouts: SETTLE,
  reportsAfterMs: 0,
  tokenSeconds: 3_600,
  repeatedCharge: 'same',
  repeatedRefund: 'refused',
  repeatedPayout: 'refused',
  callbackRetrySeconds: [300, 600, 1_200, 2_400, 4_800],
  callbackTimeoutMs: 60_000,
}

/** The settings that may be changed alone; each replaces what was there. */
export const settingsChange = settingsSchema.partial()

export type Settings = ReturnType<typeof createSettings>

/** What tests change about the PSP's behaviour, kept on disk. */
export const createSettings = (store: Store) => {
  const read = (): SettingsValues => {
    const row = store.one<{ value: string }>("SELECT value FROM settings WHERE name = 'settings'")
    return { ...DEFAULTS, ...(row && JSON.parse(row.value)) }
  }
  let current = read()

  const change = (values: { [Name in keyof SettingsValues]?: SettingsValues[Name] | undefined }): void => {
    const said = Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined))
    current = { ...current, ...said }
    store.run("INSERT OR REPLACE INTO settings (name, value) VALUES ('settings', ?)", JSON.stringify(current))
  }

  /** The outcome of the next refund or payout; one that was counted out falls back to settling. */
  const nextOutcome = (of: 'refunds' | 'payouts'): Outcome => {
    const outcome = current[of]
    if (outcome.count === undefined) return outcome
    const { count, ...standing } = outcome
    change({ [of]: count > 1 ? { ...standing, count: count - 1 } : SETTLE })
    return outcome
  }

  const reload = (): void => {
    current = read()
  }

  return { get: (): SettingsValues => current, change, nextOutcome, reload }
}
