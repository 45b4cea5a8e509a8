import type { RateLimits } from '../../rate-limits/rate-limits.ts'
import type { DueEndpoint } from './webhook-queues.repository.ts'

type Dependencies = { rateLimits: Pick<RateLimits, 'takeExactly'>; perWindowMax: number }

/** How long a delivery has to wait before it may be sent: 0 for now. */
export type PaceUnproven = (endpoint: Pick<DueEndpoint, 'url' | 'isProven'>) => Promise<number>

/**
 * Whoever registers may name any address: until a webhook has answered 2xx at its address, nobody has shown that the host
 * wants these calls. Such webhooks share a low pace per host, over all sellers and processes.
 */
export const createPaceUnproven =
  ({ rateLimits, perWindowMax }: Dependencies): PaceUnproven =>
  async ({ url, isProven }) => {
    if (isProven) return 0
    const verdict = await rateLimits.takeExactly(`unproven-webhook:${new URL(url).hostname}`, perWindowMax)
    return verdict.allowed ? 0 : verdict.resetSeconds * 1_000
  }
