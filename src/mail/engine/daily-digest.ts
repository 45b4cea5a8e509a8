import type { Clock } from '../../clock.ts'
import { saoPauloDate, startOfSaoPauloDay } from '../../domain/calendar.ts'
import { toTimestampOrNull } from '../../domain/timestamp.ts'
import type { Reads, Transact } from '../../repositories.ts'
import type { FactsOf } from '../templates/catalogue.ts'

type Dependencies = { read: Pick<Reads, 'mailDigests' | 'reports'>; transact: Transact; clock: Clock }

/** Eight o’clock in São Paulo. */
const MORNING_MS = 8 * 3_600_000

const findWaiting = async ({ reports }: Pick<Reads, 'reports'>): Promise<FactsOf<'daily_digest'>> => {
  const { waiting: companies } = await reports.countCompanies()
  const withdrawals = await reports.countWaitingWithdrawals()
  const { unmatched, failed, since } = await reports.countStuckProviderEvents()
  return {
    companies: { count: companies.count, since: toTimestampOrNull(companies.since) },
    withdrawals: { ...withdrawals, since: toTimestampOrNull(withdrawals.since) },
    providerEvents: { count: unmatched + failed, since: toTimestampOrNull(since) },
  }
}

/** Tells administrators once a day, in the morning, what waits for them, and nothing where nothing does. */
export const createSendDailyDigest = ({ read, transact, clock }: Dependencies) => ({
  /** Looks into the digest of today. Answers how many administrators are told. */
  async runOnce(): Promise<number> {
    const now = clock.now()
    const date = saoPauloDate(now)
    const isMorning = now.getTime() >= startOfSaoPauloDay(date).getTime() + MORNING_MS
    if (!isMorning || (await read.mailDigests.find(date))) return 0
    const data = await findWaiting(read)
    return transact(async (tx) => {
      if (!(await tx.mailDigests.insertOnce(date, now))) return 0
      if (Object.values(data).every(({ count }) => count === 0)) return 0
      const readers = await tx.mailPreferences.listDigestReaders()
      await tx.mails.add(readers.map((userId) => ({ kind: 'daily_digest' as const, to: { userId }, data })))
      return readers.length
    })
  },
})
