import { systemClock } from '../../../src/clock.ts'
import { createLogger } from '../../../src/logging/logger.ts'
import type { PixApi, PixApiOptions } from '../../../src/providers/pix/api/pix-api.ts'
import { createPixReader, type PixReader } from '../../../src/providers/pix/pix.callbacks.ts'
import { createPixProvider } from '../../../src/providers/pix/pix.provider.ts'
import type { PaymentProvider } from '../../../src/providers/provider.port.ts'
import { openPixApi } from './pix-api.ts'
import type { TestPsp } from './simulator.ts'

export const CALLBACK_SECRET = 'a-secret-that-only-the-tests-know-0123456789'

/** The Pix provider as a client of a simulator. */
export const openPixProvider = (
  psp: TestPsp,
  changes: Partial<PixApiOptions> = {},
): { provider: PaymentProvider; api: PixApi; reader: PixReader } => {
  const { api, key, log } = openPixApi(psp, changes)
  const logger = createLogger({ production: true, logLevel: 'trace' }, { write: (line) => void log.push(line) })
  const reader = createPixReader({ api, clock: systemClock })
  const { profile: name } = psp.options
  const clock = systemClock
  const provider = createPixProvider({ name, api, reader, key, callbackSecret: CALLBACK_SECRET, clock, logger })
  return { provider, api, reader }
}
