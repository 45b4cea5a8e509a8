import type { GaugeSource } from './gauge.ts'

type Open = { count: number; amount: number; oldestSeconds: number }

/** What providers and the books do not agree on and nobody has resolved. */
export const reconciliationGauges = (findOpen: () => Promise<Open>): GaugeSource[] => [
  {
    name: 'reconciliation_exceptions_open',
    help: 'Differences with providers that nobody has resolved.',
    read: async () => (await findOpen()).count,
  },
  {
    name: 'reconciliation_exceptions_open_centavos',
    help: 'How much these differ by, added up.',
    read: async () => (await findOpen()).amount,
  },
  {
    name: 'reconciliation_exception_oldest_seconds',
    help: 'How long the oldest of them is open.',
    read: async () => (await findOpen()).oldestSeconds,
  },
]
