import type { GaugeSource } from './gauge.ts'

type Count = { count: number; amount: number }

type Reading = {
  findOpen: () => Promise<{ byKind: Readonly<Record<string, Count>> }>
  findOpenSeconds: () => Promise<number>
}

/** What providers and the books do not agree on and nobody has resolved. */
export const reconciliationGauges = ({ findOpen, findOpenSeconds }: Reading): GaugeSource[] => {
  const byKind = async (of: keyof Count) => {
    const open = Object.entries((await findOpen()).byKind)
    return Object.fromEntries(open.map(([kind, counts]) => [kind, counts[of]]))
  }
  return [
    {
      name: 'reconciliation_exceptions_open',
      help: 'Differences with providers that nobody has resolved.',
      label: 'kind',
      read: () => byKind('count'),
    },
    {
      name: 'reconciliation_exceptions_open_centavos',
      help: 'How much these differ by, added up.',
      label: 'kind',
      read: () => byKind('amount'),
    },
    {
      name: 'reconciliation_exception_oldest_seconds',
      help: 'How long the oldest of them is open.',
      read: findOpenSeconds,
    },
  ]
}
