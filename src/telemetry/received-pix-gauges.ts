import type { GaugeSource } from './gauge.ts'

type Open = { count: number; since: Date | null }

/** Money that came in by Pix, is no payment and waits for an administrator. */
export const receivedPixGauges = (findOpen: () => Promise<Open>): GaugeSource[] => [
  {
    name: 'received_pix_open',
    help: 'Pix that are no payment and wait for an administrator.',
    read: async () => (await findOpen()).count,
  },
]
