import type { FastifyBaseLogger } from 'fastify'
import type { Clock } from '../../clock.ts'
import type { DisputeCapability, PaymentProvider } from '../provider.port.ts'
import type { Infractions } from './api/efi/infractions.ts'
import type { PixApi } from './api/pix-api.ts'
import { createPixBalance } from './pix.balance.ts'
import { createPixCallbacks, type PixReader } from './pix.callbacks.ts'
import { createPixCharges } from './pix.charges.ts'
import { refusedOf, settleWrite } from './pix.outcomes.ts'
import { createPixPayouts } from './pix.payouts.ts'
import { createPixRefunds } from './pix.refunds.ts'
import { createPixStatement } from './pix.statement.ts'

type Dependencies = {
  /** The profile's name, under which payments remember it. */
  name: string
  api: PixApi
  reader: PixReader
  /** The platform's own key at the PSP. */
  key: string
  callbackSecret: string
  /** Real time: the PSP's clock is not moved by ours. */
  clock: Clock
  logger: Pick<FastifyBaseLogger, 'error'>
}

const ACCEPTED = { outcome: 'accepted' } as const
const unread = async () => ({ kind: 'missing' as const, problem: null })

const createPixDisputes = (infractions: Infractions): DisputeCapability => ({
  // Files have no way there: what they show has to be said.
  async defend({ reference, text }, signal) {
    const result = await infractions.defend(reference, text, { signal })
    if (result.kind === 'ok') return ACCEPTED
    // A claim takes one answer, so one that it has already is ours, told before.
    if (result.kind === 'conflict') return ACCEPTED
    if (result.kind === 'refused' || result.kind === 'missing') return refusedOf(result)
    return settleWrite(result, unread, () => ACCEPTED)
  },
})

/** A Pix account at a PSP as a provider of the platform: charges and refunds, and what its profile adds. */
export const createPixProvider = ({
  name,
  api,
  reader,
  key,
  callbackSecret,
  clock,
  logger,
}: Dependencies): PaymentProvider => ({
  name,
  charges: createPixCharges({ api, key, clock }),
  refunds: createPixRefunds(api),
  ...(api.payouts ? { payouts: createPixPayouts(api.payouts, key) } : {}),
  ...(api.infractions ? { disputes: createPixDisputes(api.infractions) } : {}),
  statements: createPixStatement({ api, clock, logger }),
  ...(api.balance ? { balance: createPixBalance(api.balance) } : {}),
  callbacks: createPixCallbacks(reader, callbackSecret),
})
