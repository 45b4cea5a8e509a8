import type { KeyObject } from 'node:crypto'
import type { Clock } from '../../clock.ts'
import type { CardFieldsCapability, PaymentProvider } from '../provider.port.ts'
import { createSandboxBalance } from './sandbox.balance.ts'
import { parseSandboxCallback } from './sandbox.callbacks.ts'
import { createSandboxCharges } from './sandbox.charges.ts'
import { createSandboxDisputes } from './sandbox.disputes.ts'
import { createSandboxPayouts } from './sandbox.payouts.ts'
import { createSandboxRefunds } from './sandbox.refunds.ts'
import type { createSandboxRepository } from './sandbox.repository.ts'
import { createSandboxSavedCards } from './sandbox.saved-cards.ts'
import { isSandboxCallback } from './sandbox.signature.ts'
import { createSandboxStatement } from './sandbox.statement.ts'

export const SANDBOX = 'sandbox'

type SandboxRepository = ReturnType<typeof createSandboxRepository>
export type SandboxDependencies = {
  read: { sandbox: Pick<SandboxRepository, 'findRecord' | 'hasCard' | 'listBooked' | 'sumBooked'> }
  transact: <Result>(work: (tx: { sandbox: SandboxRepository }) => Promise<Result>) => Promise<Result>
  clock: Clock
  /** Real time, in which signatures grow old. */
  wallClock: Clock
  /** Signs and checks callbacks. */
  secrets: readonly KeyObject[]
  /** Absent: it has none to show. */
  cardFields?: CardFieldsCapability | undefined
}

/** The embedded acquirer: no network, no money, every outcome at the tester's will. */
export const createSandboxProvider = (dependencies: SandboxDependencies): PaymentProvider => {
  const { wallClock, secrets, cardFields } = dependencies
  return {
    name: SANDBOX,
    charges: createSandboxCharges(dependencies),
    refunds: createSandboxRefunds(dependencies),
    disputes: createSandboxDisputes(dependencies),
    payouts: createSandboxPayouts(dependencies),
    ...(cardFields ? { cardFields } : {}),
    savedCards: createSandboxSavedCards(dependencies),
    statements: createSandboxStatement(dependencies),
    balance: createSandboxBalance(dependencies),
    callbacks: {
      authenticate: (callback) => isSandboxCallback(secrets, callback, wallClock.now().getTime()),
      read: (body) => ({ outcome: 'read', notifications: parseSandboxCallback(body) }),
    },
  }
}
