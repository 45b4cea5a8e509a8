import type { FastifyBaseLogger } from 'fastify'
import { serverErrors } from '../../errors.ts'
import type { Reads } from '../../repositories.ts'
import type { Signal } from '../../signal.ts'
import type { Payment, PaymentKey } from '../payments/payments.repository.ts'
import { isFinal, type PublicPayment } from './public-links.view.ts'
import { createWatchRounds } from './watch-rounds.ts'

/** Payers reconnect by themselves; what they left behind does not stay for ever. */
const WATCH_MAX_MS = 15 * 60_000
const KEYS_PER_QUERY = 1_000

/** How many may watch: in this process, and from one address. */
export type WatchLimits = { total: number; perAddress: number }

const LIMITS: WatchLimits = { total: 2_000, perAddress: 30 }
const RETRY_AFTER_SECONDS = '5'

type Dependencies = {
  read: Pick<Reads, 'payments'>
  eventSignal: Pick<Signal, 'subscribe'>
  logger: Pick<FastifyBaseLogger, 'warn'>
  limits?: WatchLimits
}

/** One payment that is being watched. */
export type Watching<View> = {
  /** Calls `onChange` with the payment as it is now, then with each change, and `onEnd` once there is no more to come. */
  start: (onChange: (payment: View) => void, onEnd: () => void) => void
  /** Idempotent. */
  stop: () => void
}

type Watcher = { payment: PaymentKey; address: string; see: (row: Payment) => void; end: () => void }

type WatchOptions = { address: string; view: (row: Payment) => PublicPayment }

const keyOf = ({ sellerId, id }: PaymentKey): string => `${sellerId}/${id}`

const createCrowd = (limits: WatchLimits) => {
  const watchers = new Set<Watcher>()
  const countAt = (address: string): number => [...watchers].filter((watcher) => watcher.address === address).length

  return {
    watchers,
    /** Throws server.too_many_requests and server.unavailable. */
    refuseMore(address: string): void {
      const headers = { 'retry-after': RETRY_AFTER_SECONDS }
      if (watchers.size >= limits.total) throw serverErrors.unavailable({ headers })
      if (countAt(address) >= limits.perAddress) throw serverErrors.too_many_requests({ headers })
    },
    keys: (): PaymentKey[] => [...new Map([...watchers].map(({ payment }) => [keyOf(payment), payment])).values()],
    tell(rows: readonly Payment[]): void {
      const byKey = new Map(rows.map((row) => [keyOf(row), row]))
      for (const { payment, see } of [...watchers]) {
        const row = byKey.get(keyOf(payment))
        if (row) see(row)
      }
    },
  }
}

/**
 * Tells watchers what becomes of payments. However many watch, one query for all of them looks every half second, and
 * right after this process has committed an event. Without watchers nothing runs.
 */
export const createPaymentWatch = ({ read, eventSignal, logger, limits = LIMITS }: Dependencies) => {
  const crowd = createCrowd(limits)
  const { watchers } = crowd

  const look = async (): Promise<void> => {
    const keys = crowd.keys()
    for (let at = 0; at < keys.length; at += KEYS_PER_QUERY) {
      crowd.tell(await read.payments.listByKeys(keys.slice(at, at + KEYS_PER_QUERY)))
    }
  }
  const rounds = createWatchRounds({ look, isWanted: () => watchers.size > 0, logger })
  eventSignal.subscribe(rounds.nudge)

  return {
    /** Throws server.too_many_requests and server.unavailable where too many watch already. */
    watch(row: Payment, { address, view }: WatchOptions): Watching<PublicPayment> {
      crowd.refuseMore(address)
      let listener: ((payment: PublicPayment) => void) | undefined
      let onEnd = (): void => undefined
      let last = ''
      const stop = (): void => {
        clearTimeout(longest)
        watchers.delete(watcher)
      }
      const end = (): void => {
        stop()
        onEnd()
      }
      const see = (seen: Payment): void => {
        const payment = view(seen)
        const text = JSON.stringify(payment)
        if (listener === undefined || text === last) return
        last = text
        listener(payment)
        if (isFinal(payment)) end()
      }
      const longest = setTimeout(end, WATCH_MAX_MS).unref()
      const watcher: Watcher = { payment: { sellerId: row.sellerId, id: row.id }, address, see, end }
      watchers.add(watcher)
      rounds.begin()
      return {
        start: (onChange, ended) => {
          listener = onChange
          onEnd = ended
          see(row)
        },
        stop,
      }
    },

    /** Ends all watching: payers then go elsewhere. */
    close(): void {
      for (const { end } of [...watchers]) end()
    },
  }
}

export type PaymentWatch = ReturnType<typeof createPaymentWatch>
