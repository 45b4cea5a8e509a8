import { centavos } from '../../src/domain/money.ts'
import type { BalanceResult } from '../../src/providers/provider.port.ts'
import type { TestApp } from './app.ts'

/** Lets the sandbox answer this when it is asked what lies on the account, while `work` is done. */
export const whileBalanceIs = async <Result>(
  { services }: TestApp,
  result: BalanceResult,
  work: () => Promise<Result>,
): Promise<Result> => {
  const { balance } = services.providers.find('sandbox') ?? {}
  if (balance === undefined) throw new Error('the sandbox does not tell what it holds')
  const { get } = balance
  Object.assign(balance, { get: async () => result })
  return work().finally(() => Object.assign(balance, { get }))
}

/** No answer came. */
export const AWAY: BalanceResult = { outcome: 'unknown', reason: 'provider_timeout' }

/** Lets a million more lie at the sandbox than payments brought, where books are written past it. */
export const fillAcquirer = ({ services }: TestApp): Promise<void> =>
  services.transact((tx) =>
    tx.sandbox.putRecord({
      ...{ kind: 'charge', reference: 'what-was-there-before', status: 'paid', amount: centavos(100_000_000) },
      ...{ endToEndId: null, createdAt: new Date(0), updatedAt: new Date(0) },
    }),
  )
