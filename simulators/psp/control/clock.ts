import { z } from 'zod'
import type { Bank } from '../bank.ts'
import { about, type ControlServer } from './operation.ts'

const SECOND_MS = 1_000
const DAY_MS = 86_400_000
const OFFSET_MAX_MS = 3_650 * DAY_MS

const offsetBody = z.strictObject({ offsetMs: z.int().min(-OFFSET_MAX_MS).max(OFFSET_MAX_MS) })
const advanceBody = z.strictObject({
  days: z.number().min(0).max(3_650).default(0),
  seconds: z.number().min(0).max(315_360_000).default(0),
})

const view = ({ clock }: Bank): Record<string, unknown> => ({ now: clock.iso(), offsetMs: clock.offsetMs() })

/** The PSP's clock: charges expire, tokens end and refunds settle by it. */
export const clockControls = (app: ControlServer, bank: Bank): void => {
  app.get('/control/clock', about("the PSP's time"), async () => view(bank))

  app.put(
    '/control/clock',
    { ...about('sets how far the clock is off: {offsetMs}'), schema: { body: offsetBody } },
    async (request) => {
      bank.clock.setOffset(request.body.offsetMs)
      return view(bank)
    },
  )

  app.post(
    '/control/clock/advance',
    { ...about('moves the clock on: {days?, seconds?}'), schema: { body: advanceBody } },
    async (request) => {
      const { days, seconds } = request.body
      bank.clock.advance(Math.round(days * DAY_MS + seconds * SECOND_MS))
      return view(bank)
    },
  )
}
