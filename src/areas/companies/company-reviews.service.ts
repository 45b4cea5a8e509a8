import type { Clock } from '../../clock.ts'
import type { Actor } from '../../domain/actor.ts'
import type { Reads, Transact } from '../../repositories.ts'
import { companyErrors } from './companies.errors.ts'
import { showCompanies } from './companies.service.ts'
import type { CompanyView } from './companies.view.ts'
import { applyDecision, DECISIONS, type Decision, lockTarget, viewWithDocuments } from './company-decisions.ts'
import type { RequestsQuery, ReviewsQuery } from './company-reviews.schemas.ts'
import { adminCompanyView, requestView } from './company-reviews.view.ts'

type Dependencies = {
  read: Pick<Reads, 'companies' | 'companyDocuments' | 'users'>
  transact: Transact
  clock: Clock
}

/** The seller whose company this is. Throws company.not_found. */
export const sellerOf = async (read: Pick<Reads, 'companies'>, companyId: string): Promise<string> => {
  const company = await read.companies.findById(companyId)
  if (company === undefined) throw companyErrors.not_found()
  return company.sellerId
}

/** What administrators do with the companies of sellers. */
export const createCompanyReviewsService = ({ read, transact, clock }: Dependencies) => {
  const decide =
    (decision: Decision) =>
    async (actor: Actor, id: string, reason: string): Promise<CompanyView> => {
      const sellerId = await sellerOf(read, id)
      return transact(async (tx) => {
        const target = await lockTarget(tx, sellerId, id)
        return applyDecision(tx, target, { actor, decision, reason, now: clock.now() })
      })
    }

  return {
    /**
     * Approves a company and lets its seller sell. Approving an approved one answers the same and writes nothing.
     * Throws company.not_found and company.not_awaiting_approval.
     */
    async approve(actor: Actor, id: string): Promise<CompanyView> {
      const sellerId = await sellerOf(read, id)
      return transact(async (tx) => {
        const target = await lockTarget(tx, sellerId, id)
        if (target.company.status === 'approved') return viewWithDocuments(tx, target.company)
        return applyDecision(tx, target, { actor, decision: DECISIONS.approve, reason: null, now: clock.now() })
      })
    },

    reject: decide(DECISIONS.reject),
    requestChanges: decide(DECISIONS.requestChanges),
    suspend: decide(DECISIONS.suspend),
    reactivate: decide(DECISIONS.reactivate),

    /** Any seller's company that is not deleted. Throws company.not_found. */
    async get(id: string) {
      const company = await read.companies.findById(id)
      if (company === undefined) throw companyErrors.not_found()
      return adminCompanyView(await viewWithDocuments(read, company), company)
    },

    /** Companies of all sellers, newest first. */
    async list({ page, status, ...filter }: ReviewsQuery) {
      const found = await read.companies.list({ ...filter, statuses: status }, page)
      return showCompanies(read.companyDocuments, found, page)
    },

    /** Those that await approval, the one that has waited longest first. */
    async listRequests({ page, ...filter }: RequestsQuery) {
      const { rows, totalRecords } = await read.companies.listRequests(filter, page)
      const shown = await showCompanies(read.companyDocuments, { rows, totalRecords }, page)
      const users = await read.users.listByIds([...new Set(rows.map((company) => company.sellerId))])
      const byId = new Map(users.map((user) => [user.id, user]))
      const data = shown.data.map((view, index) => requestView(view, rows[index], byId.get(view.userId)))
      return { ...shown, data }
    },
  }
}

export type CompanyReviewsService = ReturnType<typeof createCompanyReviewsService>
