import { toTimestamp } from '../../domain/timestamp.ts'
import type { ActiveCard } from './saved-cards.repository.ts'

/** A saved card as the API shows it. */
export const savedCardView = (row: ActiveCard) => ({
  id: row.id,
  customerId: row.customerId,
  provider: row.provider,
  brand: row.brand,
  last4: row.last4,
  expMonth: row.expMonth,
  expYear: row.expYear,
  consentedAt: toTimestamp(row.consentedAt),
  consentTextVersion: row.consentTextVersion,
  createdAt: toTimestamp(row.createdAt),
})

export type SavedCardView = ReturnType<typeof savedCardView>
