import { createHash } from 'node:crypto'
import type { Clock } from '../../clock.ts'
import type { Actor } from '../../domain/actor.ts'
import { DEFAULT_VELOCITY_RULES, type VelocityRule, type VelocitySubject } from '../../domain/velocity.ts'
import { IDEMPOTENCY_TTL_MS } from '../../idempotency/answers.ts'
import type { Idempotency } from '../../idempotency/once.ts'
import type { NewId } from '../../ids.ts'
import type { Reads, Repositories, Transact } from '../../repositories.ts'
import { velocityErrors } from './velocity.errors.ts'
import type { Counted, VelocityRuleRow } from './velocity.repository.ts'

type Dependencies = {
  read: Pick<Reads, 'velocity'>
  transact: Transact
  clock: Clock
  /** Waits are real time, whatever the platform's clock says. */
  wallClock: Clock
  newId: NewId
}

/** What a card is tried at: the id of the link, the card's token and the network that it comes from. */
export type Attempted = Readonly<Record<VelocitySubject, string>>

type Charging<Result> = {
  idempotency: Idempotency | undefined
  charge: () => Promise<Result>
  isDeclined: (result: Result) => boolean
}

const CLEANUP_BATCH_SIZE = 1_000
const WEEK_MS = 7 * 24 * 3_600_000

const keyOf = (subject: VelocitySubject | 'request', value: string): string =>
  `${subject}:${createHash('sha256').update(value).digest('hex')}`

const requestKeyOf = ({ ownerId, operation, key, requestHash }: Idempotency): string =>
  keyOf('request', JSON.stringify([ownerId, operation, key, requestHash]))

const ruleOf = ({ id: _id, updatedAt: _updatedAt, ...rule }: VelocityRuleRow): VelocityRule => rule

const waiting = (until: Date, now: Date) => {
  const seconds = Math.max(1, Math.ceil((until.getTime() - now.getTime()) / 1_000))
  return velocityErrors.exceeded({ headers: { 'retry-after': String(seconds) } })
}

/** Slows down whoever tries out stolen cards on payment links. */
export const createVelocityService = ({ read, transact, clock, wallClock, newId }: Dependencies) => {
  const list = async (): Promise<VelocityRule[]> => {
    const said = new Map((await read.velocity.listRules()).map((row) => [row.subject, ruleOf(row)]))
    return DEFAULT_VELOCITY_RULES.map((rule) => said.get(rule.subject) ?? rule)
  }

  const countersOf = async (attempted: Attempted): Promise<Counted[]> => {
    const active = (await list()).filter(({ isActive }) => isActive)
    return active.map((rule) => ({ rule, key: keyOf(rule.subject, attempted[rule.subject]) }))
  }

  // Its answer is repeated for as long as this; the same key then tries a card anew.
  const isNew = (tx: Repositories, request: string, now: Date): Promise<boolean> =>
    tx.velocity.note(request, { now, since: new Date(now.getTime() - IDEMPOTENCY_TTL_MS) })

  // Always in the order of the rules, so that no two of these wait for each other.
  const addAll = async (tx: Repositories, counters: readonly Counted[], now: Date): Promise<void> => {
    for (const one of counters) {
      const until = await tx.velocity.add(one, now)
      if (until) throw waiting(until, now)
    }
  }

  // Answers false for a repeat, which counts for nothing. A refusal counts for none of the subjects.
  const count = async (counters: readonly Counted[], request: string | undefined): Promise<boolean> => {
    const now = wallClock.now()
    return transact(async (tx) => {
      if (request !== undefined && !(await isNew(tx, request, now))) return false
      await addAll(tx, counters, now)
      return true
    })
  }

  // A repeat that came to be worked on itself, because the first request was not answered.
  const countLate = async (counters: readonly Counted[]): Promise<void> => {
    const now = wallClock.now()
    await transact(async (tx) => {
      for (const one of counters) await tx.velocity.add(one, now)
    })
  }

  const takeBack = (counters: readonly Counted[], request?: string): Promise<void> =>
    transact(async (tx) => {
      for (const one of counters) await tx.velocity.takeBack(one)
      if (request !== undefined) await tx.velocity.forget(request)
    })

  return {
    /** The rules in force, one for each subject. */
    list: async () => ({ rules: await list() }),

    /** Replaces the rules of the subjects that are given; the others stay. Answers all. */
    async replace(actor: Actor, { rules }: { rules: readonly VelocityRule[] }) {
      const before = new Map((await list()).map((rule) => [rule.subject, rule]))
      await transact(async (tx) => {
        const now = clock.now()
        const known = new Map((await tx.velocity.listRules()).map(({ subject, id }) => [subject, id]))
        for (const rule of rules) {
          const id = known.get(rule.subject) ?? newId()
          await tx.velocity.putRule({ ...rule, id, updatedAt: now })
          const target = { targetType: 'velocity_rule', targetId: id }
          const change = { before: before.get(rule.subject) ?? {}, after: rule }
          await tx.audit.add({ actor, action: 'velocity_rule.update', ...target, ...change }, now)
        }
      })
      return { rules: await list() }
    },

    /**
     * Does the work of charging a card, unless too many were declined before. A repeat of a request is not counted, and not
     * refused: it is answered as the first was. `isDeclined` judges what came of it. Throws velocity.exceeded.
     */
    async guard<Result>(attempted: Attempted, { idempotency, charge, isDeclined }: Charging<Result>): Promise<Result> {
      const counters = await countersOf(attempted)
      const request = idempotency && requestKeyOf(idempotency)
      const isCounted = await count(counters, request)
      const result = await charge().catch(async (error: unknown) => {
        if (isCounted) await takeBack(counters, request)
        throw error
      })
      // A repeat of it tries no card again.
      const counts = isDeclined(result) && idempotency?.replayed !== true
      if (isCounted && !counts) await takeBack(counters)
      if (!isCounted && counts) await countLate(counters)
      return result
    },

    /** Forgets counters that no rule looks at any more: one bounded batch. Answers how many. */
    forget: (): Promise<number> =>
      transact((tx) => tx.velocity.deleteBefore(new Date(wallClock.now().getTime() - WEEK_MS), CLEANUP_BATCH_SIZE)),
  }
}

export type VelocityService = ReturnType<typeof createVelocityService>
