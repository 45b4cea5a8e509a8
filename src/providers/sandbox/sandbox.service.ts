import type { KeyObject } from 'node:crypto'
import type { AuditRepository } from '../../audit/audit.repository.ts'
import type { Clock } from '../../clock.ts'
import type { Actor } from '../../domain/actor.ts'
import { amountWith, NO_PARTS, type PaidParts } from '../../domain/due-terms.ts'
import { type Centavos, centavos } from '../../domain/money.ts'
import type { PaymentMethod } from '../../domain/payment.ts'
import { defineErrors } from '../../errors.ts'
import type { NewId } from '../../ids.ts'
import type { ChargeState, Notification, PayoutState } from '../provider.port.ts'
import type { ProviderEventsService } from '../provider-events.service.ts'
import type { createProviderReferencesRepository } from '../provider-references.repository.ts'
import type { PlatformClock } from './platform-clock.ts'
import { sandboxCallbackBody } from './sandbox.callbacks.ts'
import { createDisputeDriving } from './sandbox.dispute-driving.ts'
import { createSandboxFaults } from './sandbox.faults.ts'
import { sandboxEndToEndId, sandboxReference } from './sandbox.ids.ts'
import { SANDBOX } from './sandbox.provider.ts'
import { createRefundDriving } from './sandbox.refund-driving.ts'
import type { createSandboxRepository, SandboxRecord } from './sandbox.repository.ts'
import { SIGNATURE_HEADER, signSandboxCallback } from './sandbox.signature.ts'

const payoutErrors = defineErrors('withdrawal', { not_found: [404, 'No withdrawal has this id.'] })

type SandboxRepository = ReturnType<typeof createSandboxRepository>

type Dependencies = {
  read: {
    sandbox: Pick<SandboxRepository, 'findRecord' | 'findBooked'>
    providerReferences: Pick<ReturnType<typeof createProviderReferencesRepository>, 'find' | 'findByResource'>
  }
  transact: <Result>(
    work: (tx: { sandbox: SandboxRepository; audit: AuditRepository }) => Promise<Result>,
  ) => Promise<Result>
  clock: Clock
  wallClock: Clock
  newId: NewId
  secret: KeyObject
  providerEvents: Pick<ProviderEventsService, 'receive'>
  platformClock: PlatformClock
  /** Throws payment.not_found for another seller's payment. */
  getPayment: (actor: Actor, id: string) => Promise<{ amount: Centavos; paidAmount: Centavos; method: PaymentMethod }>
  /** What a due date adds to a payment and takes off today; null: it has no terms. */
  findPartsToday: (actor: Actor, id: string) => Promise<PaidParts | null>
  /** Any seller's payment. */
  findPayment: (id: string) => Promise<{ amount: Centavos; method: PaymentMethod } | undefined>
  /** Throws dispute.not_found for another seller's dispute. */
  getDispute: (actor: Actor, id: string) => Promise<{ amount: Centavos }>
}

export type PayoutOutcome = 'completed' | 'failed' | 'returned'

const ACCEPTED = { status: 'accepted' as const }

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

/** Drives the simulated acquirer: what it says reaches the platform as a signed callback, like everything a real one says. */
export const createSandboxService = (dependencies: Dependencies) => {
  const { read, transact, clock, wallClock, newId, secret, providerEvents, platformClock, getPayment, findPartsToday } =
    dependencies

  const send = async (notification: Notification): Promise<void> => {
    const body = sandboxCallbackBody(newId(), [notification])
    const headers = { [SIGNATURE_HEADER]: signSandboxCallback(secret, body, wallClock.now().getTime()) }
    const { processed } = await providerEvents.receive(SANDBOX, { headers, query: {}, body })
    // Waiting for it lets a tester look at the result right away.
    await processed
  }

  const record = async (
    kind: SandboxRecord['kind'],
    reference: string,
    { status, amount, endToEndId = null }: Pick<SandboxRecord, 'status' | 'amount'> & { endToEndId?: string | null },
  ): Promise<void> => {
    const now = clock.now()
    await transact((tx) =>
      tx.sandbox.putRecord({ kind, reference, status, amount, endToEndId, createdAt: now, updatedAt: now }),
    )
  }

  const tellCharge = async (id: string, amount: Centavos, state: ChargeState): Promise<void> => {
    const reference = sandboxReference(id)
    const endToEndId = state.status === 'paid' ? state.endToEndId : null
    await record('charge', reference, { status: state.status, amount, endToEndId })
    await send({ kind: 'charge', reference, state })
  }

  return {
    /** The payer pays, by default exactly what was asked for: on that day, where a due date makes it more or less. */
    async pay(actor: Actor, id: string, amount: number | undefined) {
      const payment = await getPayment(actor, id)
      const parts = await findPartsToday(actor, id)
      const paidAmount = amount === undefined ? amountWith(payment.amount, parts ?? NO_PARTS) : centavos(amount)
      const endToEndId = payment.method === 'pix' ? sandboxEndToEndId(clock.now()) : null
      const told = parts === null || amount !== undefined ? {} : { parts }
      await tellCharge(id, paidAmount, { status: 'paid', paidAmount, endToEndId, ...told })
      return ACCEPTED
    },

    async expire(actor: Actor, id: string) {
      const { amount } = await getPayment(actor, id)
      await tellCharge(id, amount, { status: 'expired', reason: null })
      return ACCEPTED
    },

    async fail(actor: Actor, id: string) {
      const { amount } = await getPayment(actor, id)
      await tellCharge(id, amount, { status: 'failed', reason: 'provider_refused' })
      return ACCEPTED
    },

    /** The bank decides a payout. Throws withdrawal.not_found for one that never reached it. */
    async settlePayout(actor: Actor, id: string, outcome: PayoutOutcome) {
      const reference = sandboxReference(id)
      const owner = await read.providerReferences.find({ provider: SANDBOX, kind: 'payout', reference })
      const payout = await read.sandbox.findRecord('payout', reference)
      if (owner?.sellerId !== actor.sellerId || payout === undefined) throw payoutErrors.not_found()
      const { amount, endToEndId } = payout
      await record('payout', reference, { status: outcome, amount, endToEndId })
      const reason = `payout_${outcome}`
      const state: PayoutState = outcome === 'completed' ? { status: outcome, endToEndId } : { status: outcome, reason }
      await send({ kind: 'payout', reference, state })
      return ACCEPTED
    },

    ...createDisputeDriving({ ...dependencies, record, send }),

    ...createRefundDriving({ ...dependencies, record, send }),

    ...createSandboxFaults(dependencies),

    clock: () => ({ now: clock.now().toISOString(), offsetMs: platformClock.offsetMs() }),

    /** Moves the platform's time forward and runs everything that falls due on the way. */
    async advanceClock(
      actor: Actor,
      { days = 0, hours = 0 }: { days?: number | undefined; hours?: number | undefined },
    ) {
      await platformClock.advance(actor, days * DAY_MS + hours * HOUR_MS)
      return { now: clock.now().toISOString(), offsetMs: platformClock.offsetMs() }
    },
  }
}

export type SandboxService = ReturnType<typeof createSandboxService>
