import type { KeyObject } from 'node:crypto'
import type { FastifyBaseLogger } from 'fastify'
import type { Clock } from '../clock.ts'
import type { Database } from '../db/client.ts'
import { addDays, saoPauloDate, startOfSaoPauloDay } from '../domain/calendar.ts'
import type { NewId } from '../ids.ts'
import { proveChain } from '../ledger/chain-proof.ts'
import { AFTER_ALL_BOOKS, BEFORE_ALL_BOOKS } from '../ledger/ledger-checks.ts'
import { FINDINGS_MAX, proveBooks } from '../ledger/ledger-proof.ts'
import type { LedgerProof } from '../ledger/ledger-proofs.repository.ts'
import type { Reads, Transact } from '../repositories.ts'
import type { ChainLedger } from './chain-ledger.ts'

type Dependencies = {
  database: Database
  read: Pick<Reads, 'ledgerProofs'>
  transact: Transact
  wallClock: Clock
  newId: NewId
  /** All that links may have been sealed under. */
  findKeys: () => Promise<readonly KeyObject[]>
  chainLedger: ChainLedger
  logger: Pick<FastifyBaseLogger, 'error' | 'info'>
}

const NIGHTLY_AT_MS = 3 * 3_600_000
/** A proof that found something is repeated until what was wrong is repaired. */
const REPEAT_AFTER_MS = 3_600_000

const CHAIN_ROUNDS_MAX = 1_000

const latestNight = (now: Date): Date => {
  const today = saoPauloDate(now)
  const tonight = new Date(startOfSaoPauloDay(today).getTime() + NIGHTLY_AT_MS)
  return tonight <= now ? tonight : new Date(startOfSaoPauloDay(addDays(today, -1)).getTime() + NIGHTLY_AT_MS)
}

type Proven = Pick<LedgerProof, 'startedAt' | 'findingsCount'> & { finishedAt: Date }

const isDue = (latest: Proven | undefined, now: Date): boolean =>
  latest === undefined ||
  latest.startedAt < latestNight(now) ||
  (latest.findingsCount > 0 && now.getTime() - latest.finishedAt.getTime() >= REPEAT_AFTER_MS)

/**
 * Proves all books and their chains once a night, from three o'clock in São Paulo, some books at a time: no moment of
 * the database is kept alive for long, and what a killed process had proven stays proven. In real time.
 */
export const createProveLedger = (dependencies: Dependencies) => {
  const { database, read, transact, wallClock, newId, findKeys, chainLedger, logger } = dependencies

  const begin = async (): Promise<void> => {
    // What waits to be sealed, after a time without workers, is not what the proof should find. Bounded, because money
    // keeps moving meanwhile.
    for (let round = 0; round < CHAIN_ROUNDS_MAX && (await chainLedger.runOnce()) > 0; ) round += 1
    const proof = {
      id: newId(),
      startedAt: wallClock.now(),
      finishedAt: null,
      provenThrough: BEFORE_ALL_BOOKS,
      booksCount: 0,
      findingsCount: 0,
      findings: [],
      durationMs: 0,
    }
    await transact((tx) => tx.ledgerProofs.insertOnce(proof))
  }

  const proveNext = async (proof: LedgerProof): Promise<void> => {
    const begunMs = performance.now()
    const { books, booksCount, findings: inBooks } = await proveBooks(database, proof.provenThrough)
    const found = [...inBooks, ...(await proveChain(database, await findKeys(), books))]
    const step: LedgerProof = {
      ...proof,
      finishedAt: books.through === AFTER_ALL_BOOKS ? wallClock.now() : null,
      provenThrough: books.through,
      booksCount: proof.booksCount + booksCount,
      findingsCount: proof.findingsCount + found.length,
      findings: [...proof.findings, ...found].slice(0, FINDINGS_MAX),
      durationMs: proof.durationMs + Math.round(performance.now() - begunMs),
    }
    const anchor = step.finishedAt === null ? undefined : await chainLedger.anchor()
    const isOurs = await transact((tx) => tx.ledgerProofs.advance(step, proof.provenThrough))
    if (!isOurs) return
    if (found.length > 0) logger.error({ findings: found.slice(0, FINDINGS_MAX) }, 'the ledger does not agree')
    if (anchor === undefined) return
    const { durationMs, findingsCount } = step
    logger.info({ booksCount: step.booksCount, findingsCount, durationMs, ...anchor }, 'the proof of the ledger ended')
  }

  return {
    /** Begins the proof of this night, or proves the next books. Answers 0 where nothing is left to prove. */
    async runOnce(): Promise<number> {
      const running = await read.ledgerProofs.findRunning()
      if (running !== undefined) {
        await proveNext(running)
        return 1
      }
      if (!isDue(await read.ledgerProofs.findLatest(), wallClock.now())) return 0
      await begin()
      return 1
    },
  }
}
