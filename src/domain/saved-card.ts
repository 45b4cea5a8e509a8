import type { LocalDate } from './calendar.ts'
import { lifecycle } from './lifecycle.ts'

export const SAVED_CARD_STATUSES = ['saving', 'active', 'deleting', 'deleted'] as const
export type SavedCardStatus = (typeof SAVED_CARD_STATUSES)[number]

/** `saving`: the provider is being asked to keep it. `deleting`: nobody can charge it, and the provider has yet to be told. */
export const savedCardLifecycle = lifecycle<SavedCardStatus>('saved card', {
  saving: ['active', 'deleting', 'deleted'],
  active: ['deleting'],
  deleting: ['deleted'],
  deleted: [],
})

/** How many cards a customer may have saved. */
export const SAVED_CARDS_MAX = 20

/** Whether a card, which is valid to the end of its month, has expired on a São Paulo date. */
export const isCardExpired = (
  { expMonth, expYear }: { expMonth: number; expYear: number },
  today: LocalDate,
): boolean => today.slice(0, 'YYYY-MM'.length) > `${expYear}-${String(expMonth).padStart(2, '0')}`
