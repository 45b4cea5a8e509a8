import type { DefenseRequest, DefenseResult, PaymentProvider, Unknown } from './provider.port.ts'

/** How long a call to a provider may take. What is not answered by then has an unknown outcome. */
const WRITE_DEADLINE_MS = 10_000
const READ_DEADLINE_MS = 5_000

/** Why an outcome is unknown at a provider that has no way to be asked: sending it again under its id is the only one. */
export const CANNOT_TELL = 'provider_cannot_tell'

/** A provider whose calls always end: a late or broken one answers `unknown`, it never throws. */
export type GuardedProvider = {
  [Method in
    | 'createCharge'
    | 'getCharge'
    | 'cancelCharge'
    | 'captureCharge'
    | 'refund'
    | 'createPayout'
    | 'getPayout']: (request: Parameters<PaymentProvider[Method]>[0]) => ReturnType<PaymentProvider[Method]>
} & {
  getRefund(refundId: string): ReturnType<NonNullable<PaymentProvider['getRefund']>>
  submitDefense(request: DefenseRequest): Promise<DefenseResult>
} & Pick<PaymentProvider, 'name' | 'composeCharge' | 'authenticateCallback' | 'parseCallback'>

export type CallFailed = (call: { provider: string; error: unknown }) => void

/** Late by the deadline that its call was given. */
class DeadlineError extends Error {
  override readonly name = 'DeadlineError'
}

const deadline = (signal: AbortSignal): Promise<never> =>
  new Promise((_, reject) => {
    signal.addEventListener('abort', () => reject(new DeadlineError('the provider did not answer in time')), {
      once: true,
    })
  })

/** Gives every call of an adapter its deadline, and turns what it throws into an unknown outcome. */
export const guardProvider = (
  provider: PaymentProvider,
  onFailure: CallFailed,
  deadlines = { writeMs: WRITE_DEADLINE_MS, readMs: READ_DEADLINE_MS },
): GuardedProvider => {
  const guard =
    <Request, Result>(call: (request: Request, signal: AbortSignal) => Promise<Result>, deadlineMs: number) =>
    async (request: Request): Promise<Result | Unknown> => {
      const signal = AbortSignal.timeout(deadlineMs)
      try {
        return await Promise.race([call(request, signal), deadline(signal)])
      } catch (error) {
        onFailure({ provider: provider.name, error })
        return {
          outcome: 'unknown',
          reason: error instanceof DeadlineError ? 'provider_timeout' : 'provider_unreachable',
        }
      }
    }
  const { writeMs, readMs } = deadlines
  const getRefund = provider.getRefund?.bind(provider)
  const submitDefense = provider.submitDefense?.bind(provider)
  return {
    name: provider.name,
    ...(provider.composeCharge ? { composeCharge: provider.composeCharge.bind(provider) } : {}),
    createCharge: guard(provider.createCharge.bind(provider), writeMs),
    getCharge: guard(provider.getCharge.bind(provider), readMs),
    cancelCharge: guard(provider.cancelCharge.bind(provider), writeMs),
    captureCharge: guard(provider.captureCharge.bind(provider), writeMs),
    refund: guard(provider.refund.bind(provider), writeMs),
    createPayout: guard(provider.createPayout.bind(provider), writeMs),
    getPayout: guard(provider.getPayout.bind(provider), readMs),
    getRefund: getRefund ? guard(getRefund, readMs) : async () => ({ outcome: 'unknown', reason: CANNOT_TELL }),
    submitDefense: submitDefense
      ? guard(submitDefense, writeMs)
      : async () => ({ outcome: 'refused', reason: 'provider_takes_no_defenses' }),
    authenticateCallback: provider.authenticateCallback.bind(provider),
    parseCallback: provider.parseCallback.bind(provider),
  }
}

/** The providers of this platform: `active` makes what is new, `find` reaches those that older payments were made with. */
export type ProviderRegistry = { active: GuardedProvider; find(name: string): GuardedProvider | undefined }

/** Throws a RangeError when no provider has the name of the active one. */
export const createProviderRegistry = (providers: readonly GuardedProvider[], activeName: string): ProviderRegistry => {
  const byName = new Map(providers.map((provider) => [provider.name, provider]))
  const active = byName.get(activeName)
  if (active === undefined) throw new RangeError(`no provider is named ${activeName}`)
  return { active, find: (name) => byName.get(name) }
}
