import { createHash } from 'node:crypto'
import type { FastifyBaseLogger } from 'fastify'
import type { Clock } from '../../clock.ts'
import type { NewId } from '../../ids.ts'
import type { Reads, Repositories, Transact } from '../../repositories.ts'
import { type Delivery, type NotificationHandlers, routeNotifications } from '../notification-routing.ts'
import type { Notification } from '../provider.port.ts'
import type { ProviderCursor } from '../provider-cursors.repository.ts'
import type { ProviderEvent } from '../provider-events.repository.ts'
import type { Page, Period } from './api/forms/paging.ts'
import type { Outcome } from './api/outcome.ts'
import type { PixApi } from './api/pix-api.ts'
import type { ReceivedPix } from './api/received-pix.ts'
import { type PixReader, reading } from './pix.callbacks.ts'
import { isOurTxid } from './pix.ids.ts'

type Dependencies = {
  name: string
  api: Pick<PixApi, 'receivedPix'>
  reader: PixReader
  read: Pick<Reads, 'providerCursors'>
  transact: Transact
  handlers: NotificationHandlers
  clock: Clock
  /** Real time, by which the PSP's list is read. */
  wallClock: Clock
  newId: NewId
  logger: Pick<FastifyBaseLogger, 'error'>
}

const MINUTE_MS = 60_000
/** Clocks differ by minutes, and a PSP shows some Pix a while after it took them. */
const OVERLAP_MS = 15 * MINUTE_MS
/** Once an hour it is looked back further, for what a PSP showed a day late. */
const LATE_MS = 26 * 60 * MINUTE_MS
/** What is read in one go when there is much to catch up with. */
const STRIDE_MS = 60 * MINUTE_MS
/** What could not be applied is tried again by way of the callbacks. */
const RETRY_MS = MINUTE_MS

const periodOf = ({ since, readUntil }: ProviderCursor, now: Date): Period => {
  const overlapMs = now.getUTCMinutes() === 0 ? LATE_MS : OVERLAP_MS
  const to = Math.min(now.getTime(), readUntil.getTime() + STRIDE_MS)
  return { from: new Date(Math.max(since.getTime() - OVERLAP_MS, readUntil.getTime() - overlapMs)), to: new Date(to) }
}

/** What came in before the platform began to read is not its own, but for its first charges where clocks differ. */
const isOurs = ({ receivedAt, txid }: ReceivedPix, since: Date): boolean =>
  receivedAt >= since || (txid !== null && isOurTxid(txid))

/**
 * Goes through the PSP's own list of what came in, which is the truth where callbacks are lost, late or forged. What it has
 * seen is kept, so that a restart goes on; what comes twice changes nothing.
 */
export const createReadReceivedPix = (dependencies: Dependencies) => {
  const { name, api, reader, read, transact, handlers, clock, wallClock, newId, logger } = dependencies

  // As a callback about it, which is read back and tried again until it fits.
  const laterOf = (pix: ReceivedPix): ProviderEvent => {
    const now = clock.now()
    const body = JSON.stringify({ pix: [{ endToEndId: pix.endToEndId }], readAt: now.toISOString() })
    return {
      ...{ id: newId(), provider: name, bodyHash: createHash('sha256').update(body).digest('hex'), body },
      ...{ status: 'received', timesReceived: 1, attempts: 0, failure: null, receivedAt: now, processedAt: null },
      nextAttemptAt: new Date(now.getTime() + RETRY_MS),
    }
  }

  const apply = (pix: ReceivedPix, notifications: readonly Notification[]): Promise<number> =>
    transact(async (tx: Repositories) => {
      const deliveries: Delivery[] = notifications.map((notification) => ({ provider: name, notification }))
      await routeNotifications(tx, deliveries, { handlers, now: clock.now() })
      const waits = deliveries.some(({ outcome }) => outcome?.status === 'unmatched')
      if (waits) await tx.providerEvents.insertMany([laterOf(pix)])
      return deliveries.filter(({ outcome }) => outcome?.status === 'processed').length
    })

  /** Undefined where the PSP did not tell: the page is read again by the next run. */
  const readPage = async (page: Outcome<Page<ReceivedPix>>, since: Date): Promise<number | undefined> => {
    if (page.kind !== 'ok') return undefined
    for (const { at, endToEndId } of page.value.unreadable) {
      logger.error({ provider: name, at, endToEndId }, 'an entry of the PSP’s list cannot be read, and is not booked')
    }
    let changedCount = 0
    for (const pix of page.value.items.filter((item) => isOurs(item, since))) {
      const news = await reading(reader.newsOf(pix))
      if (news.outcome === 'unknown') return undefined
      changedCount += await apply(pix, news.notifications)
    }
    return changedCount
  }

  const readPeriod = async (period: Period, since: Date): Promise<number | undefined> => {
    let changedCount = 0
    for await (const page of api.receivedPix.all(period, { isBackground: true })) {
      const changed = await readPage(page, since)
      if (changed === undefined) return undefined
      changedCount += changed
    }
    return changedCount
  }

  const begin = async (now: Date): Promise<ProviderCursor> => {
    await transact((tx) => tx.providerCursors.insertOnce(name, now))
    return { provider: name, since: now, readUntil: now }
  }

  return {
    /** Reads on from where the last run ended. Answers how much of it was new, and one more while there is more to read. */
    async runOnce(): Promise<number> {
      const now = wallClock.now()
      const cursor = (await read.providerCursors.find(name)) ?? (await begin(now))
      const period = periodOf(cursor, now)
      const changedCount = await readPeriod(period, cursor.since)
      if (changedCount === undefined) return 0
      await transact((tx) => tx.providerCursors.updateReadUntil(name, period.to))
      return changedCount + (period.to < now ? 1 : 0)
    },
  }
}
