import { hash } from 'node:crypto'
import type { Database, Reader } from '../../db/client.ts'
import { inOneMoment } from '../../db/transaction.ts'
import { addDays, startOfSaoPauloDay } from '../../domain/calendar.ts'
import type { ProvenDay } from './period-proof.checks.queries.ts'
import {
  createPeriodProofQueries,
  type Evidence,
  type ExceptionState,
  type PeriodFinding,
} from './period-proof.queries.ts'

/** A difference between a provider's statement and ours, as comparing them finds it. */
export type Difference = Pick<ExceptionState, 'kind' | 'subject' | 'providerAmount' | 'platformAmount'> & {
  sellerId: string | null
  subjectId: string | null
}

type Compared = { reconciliationId: string; run: number; provider: string; from: Date; to: Date }

/** Compares the lines of a day that were kept with the books, as reconciliation does. */
export type ListDifferences = (tx: Reader, day: Compared) => Promise<readonly Difference[]>

/** São Paulo dates, `YYYY-MM-DD`; the second is not in it. */
export type ProofPeriod = { from: string; to: string }

/** What was read of each day and what did not agree. No time, no place: who reads the same gets the same, to the byte. */
export type PeriodProof = {
  format: 'payment-platform-period-proof'
  version: 1
  period: ProofPeriod
  days: { date: string; evidence: Evidence[] }[]
  findingsCount: number
  /** The first thousand. */
  findings: PeriodFinding[]
  /** Over `period` and `days`. */
  sha256: string
}

const FINDINGS_MAX = 1_000
const AGREES = 'the statement of the provider agrees, or somebody settled why not'

const keyOf = ({ kind, subject }: Pick<ExceptionState, 'kind' | 'subject'>): string => `${kind} ${subject}`

const isSettled = (difference: Difference, known: ExceptionState | undefined): boolean =>
  known?.status === 'resolved' &&
  known.providerAmount === difference.providerAmount &&
  known.platformAmount === difference.platformAmount

const toFinding = (date: string, provider: string, difference: Difference): PeriodFinding => {
  const { kind, subject, sellerId, subjectId, providerAmount, platformAmount } = difference
  const about = subjectId === null ? '' : ` (${subjectId})`
  const detail = `${provider}: ${kind}${about}, ${providerAmount} there, ${platformAmount} here`
  return { date, check: AGREES, sellerId: sellerId ?? 'any', subject, detail }
}

const againstProviders = async (
  tx: Reader,
  day: ProvenDay,
  listDifferences: ListDifferences,
): Promise<PeriodFinding[]> => {
  const queries = createPeriodProofQueries(tx)
  const findings: PeriodFinding[] = []
  for (const { id: reconciliationId, provider, run } of await queries.listCompared(day)) {
    const found = await listDifferences(tx, { reconciliationId, run, provider, from: day.from, to: day.to })
    const known = new Map((await queries.listExceptions(day, provider)).map((row) => [keyOf(row), row]))
    const unsettled = found.filter((difference) => !isSettled(difference, known.get(keyOf(difference))))
    findings.push(...unsettled.map((difference) => toFinding(day.date, provider, difference)))
  }
  return findings
}

const dayOf = (date: string): ProvenDay => ({
  date,
  from: startOfSaoPauloDay(date),
  to: startOfSaoPauloDay(addDays(date, 1)),
})

const sha256 = (value: unknown): string => hash('sha256', JSON.stringify(value))

/**
 * Proves a period from end to end, day by day, each at one moment of the database: the provider's lines agree with payments,
 * refunds and payouts or the difference was settled; those are posted with their amounts; what is posted has a cause and
 * balances; every account goes on from balance to balance.
 */
export const provePeriod = async (
  database: Database,
  { from, to }: ProofPeriod,
  listDifferences: ListDifferences,
): Promise<PeriodProof> => {
  const days: PeriodProof['days'] = []
  const findings: PeriodFinding[] = []
  let findingsCount = 0
  for (let date = from; date < to; date = addDays(date, 1)) {
    const day = dayOf(date)
    const { evidence, found } = await inOneMoment(database, async (tx) => {
      const queries = createPeriodProofQueries(tx)
      const found = [...(await againstProviders(tx, day, listDifferences)), ...(await queries.listFindings(day))]
      return { found, evidence: await queries.listEvidence(day) }
    })
    days.push({ date, evidence })
    findingsCount += found.length
    findings.push(...found.slice(0, FINDINGS_MAX - findings.length))
  }
  const period = { from, to }
  const digest = sha256({ period, days })
  return {
    format: 'payment-platform-period-proof',
    version: 1,
    period,
    days,
    findingsCount,
    findings,
    sha256: digest,
  }
}
