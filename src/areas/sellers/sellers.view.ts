import { type Centavos, ZERO } from '../../domain/money.ts'
import { toTimestamp, toTimestampOrNull } from '../../domain/timestamp.ts'
import type { EventRow } from '../../events/events.queries.ts'
import type { CompanyRow } from '../companies/companies.repository.ts'
import { adminUserView } from '../users/users.view.ts'
import type { Seller } from './sellers.queries.ts'

/** A company beside its seller: which it is, and where it stands. */
export const sellersCompanyView = (row: CompanyRow) => ({
  id: row.id,
  cnpj: row.cnpj,
  companyName: row.companyName,
  tradeName: row.tradeName,
  status: row.status,
  rejectionReason: row.rejectionReason,
  submittedAt: toTimestampOrNull(row.submittedAt),
  approvedAt: toTimestampOrNull(row.approvedAt),
  approvedBy: row.approvedBy,
})

/** A seller in a list. */
export const sellerView = (seller: Seller, companies: readonly CompanyRow[], available: Centavos | undefined) => ({
  id: seller.id,
  user: adminUserView(seller),
  companies: companies.map(sellersCompanyView),
  availableAmount: available ?? ZERO,
})

/** An event as administrators see it beside its seller. */
export const sellersEventView = ({ id, type, createdAt, body }: EventRow) => ({
  id,
  type,
  createdAt: toTimestamp(createdAt),
  // The body was made by eventBody and is never anything else.
  data: (JSON.parse(body) as { data: Record<string, unknown> }).data,
})
