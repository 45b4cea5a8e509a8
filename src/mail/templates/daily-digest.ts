import { facts, paragraph } from '../text/blocks.ts'
import { template } from '../text/template.ts'

/** What waits, since when the first of it does. */
type Waiting = { count: number; since: string | null }

type Facts = {
  companies: Waiting
  withdrawals: Waiting & { amount: number }
  /** Callbacks of providers that changed nothing and should have. */
  providerEvents: Waiting
}

const of = ({ count }: Waiting, text: string): string | null => (count === 0 ? null : text)

const portuguese = ({ count, since }: Waiting, day: (instant: string) => string): string =>
  since === null ? String(count) : `${count}, desde ${day(since)}`

const english = ({ count, since }: Waiting, day: (instant: string) => string): string =>
  since === null ? String(count) : `${count}, since ${day(since)}`

/** To administrators, in the morning: what waits for them. */
export const dailyDigest = template<Facts>('daily_digest', {
  pt: ({ companies, withdrawals, providerEvents }, { day, money }) => ({
    subject: 'O que aguarda uma decisão',
    body: [
      paragraph('Isto aguarda um administrador hoje.'),
      facts(
        ['Empresas para analisar', of(companies, portuguese(companies, day))],
        [
          'Saques para aprovar',
          of(withdrawals, `${portuguese(withdrawals, day)} (${money(withdrawals.amount)} ao todo)`),
        ],
        ['Avisos do provedor sem efeito', of(providerEvents, portuguese(providerEvents, day))],
      ),
    ],
  }),
  en: ({ companies, withdrawals, providerEvents }, { day, money }) => ({
    subject: 'What waits for a decision',
    body: [
      paragraph('This waits for an administrator today.'),
      facts(
        ['Companies to review', of(companies, english(companies, day))],
        [
          'Withdrawals to approve',
          of(withdrawals, `${english(withdrawals, day)} (${money(withdrawals.amount)} in all)`),
        ],
        ['Callbacks of the provider without effect', of(providerEvents, english(providerEvents, day))],
      ),
    ],
  }),
})
