import type { DocumentStatus } from '../../domain/company-document.ts'
import { invariant } from '../../domain/invariant.ts'
import { toTimestamp, toTimestampOrNull } from '../../domain/timestamp.ts'
import type { CompanyRow } from './companies.repository.ts'
import type { CompanyView } from './companies.view.ts'

type Owner = { id: string; name: string; email: string; companyName: string; phone: string | null }

const countDocuments = ({ documents }: CompanyView): Record<DocumentStatus, number> => {
  const counts = { pending: 0, approved: 0, rejected: 0, superseded: 0 }
  for (const { status } of documents) counts[status] += 1
  return counts
}

/** A company with what came of its reviews. */
export const adminCompanyView = (view: CompanyView, { submittedAt, approvedAt, approvedBy }: CompanyRow) => ({
  ...view,
  submittedAt: toTimestampOrNull(submittedAt),
  approvedAt: toTimestampOrNull(approvedAt),
  approvedBy,
})

/** A company that awaits approval, with what its reviewer wants to see beside it. */
export const requestView = (view: CompanyView, row: CompanyRow | undefined, owner: Owner | undefined) => {
  invariant(row?.submittedAt, 'a company awaits approval that was never submitted')
  invariant(owner, 'a company belongs to nobody')
  const { id, name, email, companyName, phone } = owner
  return {
    ...view,
    submittedAt: toTimestamp(row.submittedAt),
    user: { id, name, email, companyName, phone },
    documentStatuses: countDocuments(view),
  }
}
