import type { CircuitBreaker } from './circuit-breaker.ts'
import type { BalanceResult, PaymentProvider, Unavailable, Unknown } from './provider.port.ts'

/** How long a call to a provider may take. What is not answered by then has an unknown outcome. */
const WRITE_DEADLINE_MS = 10_000
const READ_DEADLINE_MS = 5_000

/** Why an outcome is unknown at a provider that has no way to be asked: sending it again under its id is the only one. */
export const CANNOT_TELL = 'provider_cannot_tell'

/** The same without the signal, which the guard gives. */
type Guarded<Capability> = {
  [Name in keyof Capability]: Capability[Name] extends
    | ((request: infer Request, signal: AbortSignal) => infer Answer)
    | undefined
    ? (request: Request) => Promise<Awaited<Answer>>
    : Capability[Name]
}

type Charges = NonNullable<PaymentProvider['charges']>
type Refunds = NonNullable<PaymentProvider['refunds']>

/** A provider whose calls always end: a late or broken one answers `unknown`, it never throws. */
export type GuardedProvider = Pick<PaymentProvider, 'name'> & {
  charges:
    | (Guarded<Pick<Charges, 'create' | 'get' | 'cancel' | 'capture'>> &
        Pick<Charges, 'methods' | 'compose' | 'referenceOf'>)
    | undefined
  refunds: Guarded<Required<Refunds>> | undefined
  payouts: Guarded<NonNullable<PaymentProvider['payouts']>> | undefined
  savedCards: Guarded<NonNullable<PaymentProvider['savedCards']>> | undefined
  disputes: Guarded<NonNullable<PaymentProvider['disputes']>> | undefined
  cardFields: PaymentProvider['cardFields']
  statements: PaymentProvider['statements']
  balance: { get: () => Promise<BalanceResult> } | undefined
  callbacks: PaymentProvider['callbacks']
  /** For how long the provider is left alone because it did not answer lately, in milliseconds; 0: it is not. */
  restsForMs: () => number
}

export type CallFailed = (call: { provider: string; error: unknown }) => void

/** Late by the deadline that its call was given. */
class DeadlineError extends Error {
  override readonly name = 'DeadlineError'
}

/**
 * Runs work with a signal that aborts at the deadline, and then throws a DeadlineError. A timer of its own and not
 * AbortSignal.timeout, which could not be cleared: at a thousand calls a second ten thousand that are over would be kept.
 */
const withDeadline = async <Result>(ms: number, work: (signal: AbortSignal) => Promise<Result>): Promise<Result> => {
  const controller = new AbortController()
  const late = Promise.withResolvers<never>()
  const timer = setTimeout(() => {
    controller.abort()
    late.reject(new DeadlineError('the provider did not answer in time'))
  }, ms)
  try {
    return await Promise.race([work(controller.signal), late.promise])
  } finally {
    clearTimeout(timer)
  }
}

type Options = {
  onFailure: CallFailed
  breaker: CircuitBreaker
  deadlines?: { writeMs: number; readMs: number }
}

/** What a provider that is left alone is answered for. Nothing was sent. */
const resting = (retryAfterMs: number): Unavailable => ({
  outcome: 'unavailable',
  reason: 'provider_away',
  isAway: true,
  retryAfterMs,
})

const awayOf = (result: { outcome: string } | Unavailable | Unknown): Unavailable | Unknown | undefined =>
  'isAway' in result && result.isAway ? result : undefined

type Call<Request, Result> = (request: Request, signal: AbortSignal) => Promise<Result>

const createGuards = (name: string, { onFailure, breaker, deadlines }: Options) => {
  const { writeMs, readMs } = deadlines ?? { writeMs: WRITE_DEADLINE_MS, readMs: READ_DEADLINE_MS }

  const call = async <Request, Result extends { outcome: string }>(
    work: Call<Request, Result>,
    request: Request,
    deadlineMs: number,
  ): Promise<Result | Unknown> => {
    try {
      const result: Result | Unavailable = await withDeadline(deadlineMs, (signal) => work(request, signal))
      const away = awayOf(result)
      breaker.note(away === undefined ? 'answered' : 'away')
      if (away) onFailure({ provider: name, error: new Error(away.reason) })
      return result as Result
    } catch (error) {
      breaker.note('away')
      onFailure({ provider: name, error })
      const reason = error instanceof DeadlineError ? 'provider_timeout' : 'provider_unreachable'
      return { outcome: 'unknown', reason }
    }
  }

  return {
    write:
      <Request, Result extends { outcome: string }>(work: Call<Request, Result>) =>
      async (request: Request): Promise<Result | Unavailable | Unknown> =>
        breaker.admits() ? call(work, request, writeMs) : resting(breaker.restsForMs()),
    // What is only asked about has all the time, and must not take the one trial of a provider that comes back.
    read:
      <Request, Result extends { outcome: string }>(work: Call<Request, Result>) =>
      async (request: Request): Promise<Result | Unknown> =>
        breaker.restsForMs() === 0 ? call(work, request, readMs) : { outcome: 'unknown', reason: 'provider_away' },
  }
}

const guardCharges = (charges: Charges, { read, write }: ReturnType<typeof createGuards>) => ({
  methods: charges.methods,
  ...(charges.compose ? { compose: charges.compose.bind(charges) } : {}),
  ...(charges.referenceOf ? { referenceOf: charges.referenceOf.bind(charges) } : {}),
  create: write(charges.create.bind(charges)),
  get: read(charges.get.bind(charges)),
  cancel: write(charges.cancel.bind(charges)),
  ...(charges.capture ? { capture: write(charges.capture.bind(charges)) } : {}),
})

const cannotTell = async () => ({ outcome: 'unknown' as const, reason: CANNOT_TELL })

/** Gives every call of an adapter its deadline, leaves a provider alone that does not answer, and turns what it throws into an unknown outcome. */
export const guardProvider = (provider: PaymentProvider, options: Options): GuardedProvider => {
  const guards = createGuards(provider.name, options)
  const { read, write } = guards
  const { charges, refunds, payouts, savedCards, cardFields, disputes, statements, balance, callbacks } = provider
  const getBalance = balance && read((_: null, signal) => balance.get(signal))
  return {
    name: provider.name,
    charges: charges && guardCharges(charges, guards),
    refunds: refunds && {
      create: write(refunds.create.bind(refunds)),
      get: refunds.get ? read(refunds.get.bind(refunds)) : cannotTell,
    },
    payouts: payouts && { create: write(payouts.create.bind(payouts)), get: read(payouts.get.bind(payouts)) },
    savedCards: savedCards && {
      save: write(savedCards.save.bind(savedCards)),
      delete: write(savedCards.delete.bind(savedCards)),
    },
    disputes: disputes && { defend: write(disputes.defend.bind(disputes)) },
    // An address, without the network.
    cardFields,
    // Read by a job, which fails and comes again.
    statements,
    balance: getBalance && { get: () => getBalance(null) },
    callbacks,
    restsForMs: options.breaker.restsForMs,
  }
}
