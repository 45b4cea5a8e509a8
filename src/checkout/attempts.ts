import { createHash } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import type { PublicLinksService } from '../areas/payment-links/public-links.service.ts'
import type { PublicPayment } from '../areas/payment-links/public-links.view.ts'
import { AppError } from '../errors.ts'
import type { Idempotency } from '../idempotency/once.ts'
import { PUBLIC_OWNER_ID } from '../ids.ts'

type Dependencies = {
  publicLinks: Pick<PublicLinksService, 'pay'>
}

type Attempt = { hash: string; key: string; network: string; requestId: string }
type PayInput = Parameters<PublicLinksService['pay']>[1]

/** How long a repeat waits for the first attempt, which may be asking an issuer. Real time. */
const WAIT_MS = 15_000
const POLL_MS = 300

const isRunning = (error: unknown): boolean => error instanceof AppError && error.code === 'idempotency.in_progress'

/** Attempts to pay, each of which makes one payment at most, however often it is sent. */
export const createAttempts = ({ publicLinks }: Dependencies) => {
  // Whatever else differs in a repeat, the first payment is its answer: the other tab may have chosen another method.
  const idempotencyOf = ({ hash, key, requestId }: Attempt): Idempotency => ({
    ownerId: PUBLIC_OWNER_ID,
    operation: `POST /pay/${hash}`,
    key,
    requestHash: createHash('sha256').update(key).digest('hex'),
    requestId,
    replayed: false,
  })

  /**
   * The payment of an attempt. A repeat waits for the first one. Throws what the payment links' service throws, and
   * idempotency.in_progress where the first takes too long.
   */
  return async (attempt: Attempt, input: PayInput): Promise<PublicPayment> => {
    const givesUpAtMs = performance.now() + WAIT_MS
    for (;;) {
      try {
        return await publicLinks.pay(attempt.hash, input, attempt.network, idempotencyOf(attempt))
      } catch (error) {
        if (!isRunning(error) || performance.now() > givesUpAtMs) throw error
        await wait(POLL_MS)
      }
    }
  }
}
