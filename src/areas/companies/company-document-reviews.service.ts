import type { Clock } from '../../clock.ts'
import type { Actor } from '../../domain/actor.ts'
import { documentLifecycle } from '../../domain/company-document.ts'
import { invariant } from '../../domain/invariant.ts'
import type { Reads, Repositories, Transact } from '../../repositories.ts'
import { documentErrors } from './companies.errors.ts'
import { type DocumentView, documentView } from './companies.view.ts'
import { lockTarget } from './company-decisions.ts'
import type { DocumentRow } from './company-documents.repository.ts'
import { sellerOf } from './company-reviews.service.ts'

type Dependencies = { read: Pick<Reads, 'companies'>; transact: Transact; clock: Clock }

type Verdict =
  | { action: 'document.approve'; to: 'approved'; reason: null }
  | { action: 'document.reject'; to: 'rejected'; reason: string }

const shown = ({ status, rejectionReason }: DocumentRow) => ({ status, rejectionReason })

const judge = async (
  tx: Repositories,
  actor: Actor,
  before: DocumentRow,
  { action, to, reason }: Verdict,
  now: Date,
): Promise<DocumentView> => {
  if (!documentLifecycle.allows(before.status, to)) throw documentErrors.not_reviewable()
  const after = await tx.companyDocuments.move(before, to, reason, now)
  invariant(after !== undefined, 'a document of a locked company was moved by someone else')
  const target = { action, targetType: 'company_document', targetId: after.id, sellerId: after.sellerId }
  await tx.audit.add({ actor, ...target, before: shown(before), after: shown(after) }, now)
  return documentView(after)
}

/** What administrators do with the documents of companies. */
export const createCompanyDocumentReviewsService = ({ read, transact, clock }: Dependencies) => {
  const decide = async (actor: Actor, id: string, documentId: string, verdict: Verdict): Promise<DocumentView> => {
    const sellerId = await sellerOf(read, id)
    return transact(async (tx) => {
      const { company } = await lockTarget(tx, sellerId, id)
      const document = await tx.companyDocuments.find(company, documentId)
      if (document === undefined) throw documentErrors.not_found()
      if (document.status === 'approved' && verdict.to === 'approved') return documentView(document)
      return judge(tx, actor, document, verdict, clock.now())
    })
  }

  return {
    /** Approving an approved one answers the same. Throws company.not_found, document.not_found and not_reviewable. */
    approve: (actor: Actor, id: string, documentId: string) =>
      decide(actor, id, documentId, { action: 'document.approve', to: 'approved', reason: null }),

    /** Throws company.not_found, document.not_found and document.not_reviewable. */
    reject: (actor: Actor, id: string, documentId: string, reason: string) =>
      decide(actor, id, documentId, { action: 'document.reject', to: 'rejected', reason }),
  }
}

export type CompanyDocumentReviewsService = ReturnType<typeof createCompanyDocumentReviewsService>
