import type { Clock } from '../../clock.ts'
import { type ListResponse, type Page, type PageRequest, toListResponse } from '../../db/page.ts'
import type { Actor } from '../../domain/actor.ts'
import { type CompanyStatus, companyLifecycle } from '../../domain/company.ts'
import { invariant } from '../../domain/invariant.ts'
import { SELLER_ACCOUNTS } from '../../domain/ledger.ts'
import type { Precondition } from '../../domain/precondition.ts'
import { quotaOf } from '../../domain/seller-quota.ts'
import type { Idempotency, Once } from '../../idempotency/once.ts'
import type { NewId } from '../../ids.ts'
import type { Reads, Repositories, Transact } from '../../repositories.ts'
import { companyErrors } from './companies.errors.ts'
import type { CompanyRow } from './companies.repository.ts'
import type { CompaniesQuery, CompanyBody } from './companies.schemas.ts'
import { type CompanyView, companyView, maskedCompany } from './companies.view.ts'
import { followApproval, lockTarget, viewWithDocuments } from './company-decisions.ts'

type Dependencies = {
  read: Pick<Reads, 'companies' | 'companyDocuments'>
  transact: Transact
  once: Once<Repositories>
  clock: Clock
  newId: NewId
}

const NEVER_REVIEWED = { rejectionReason: null, approvedAt: null, approvedBy: null, deletedAt: null }

const isFrozen = (status: CompanyStatus): boolean => status === 'approved' || status === 'suspended'

/** The state after an edit. Throws company.not_draft where a draft is asked for and none is possible. */
const statusAfterEdit = (status: CompanyStatus, draft: boolean): CompanyStatus => {
  if (draft && status !== 'draft') throw companyErrors.not_draft()
  return !draft && companyLifecycle.allows(status, 'awaiting_approval') ? 'awaiting_approval' : status
}

const submitted = (view: CompanyView) =>
  ({ type: 'company.submitted', sellerId: view.userId, data: maskedCompany(view) }) as const

/** Shows a page of companies with their documents, read at once. */
export const showCompanies = async (
  documents: Reads['companyDocuments'],
  page: Page<CompanyRow>,
  request: PageRequest,
): Promise<ListResponse<CompanyView>> => {
  const rows = await documents.listByCompanies(page.rows)
  const byCompany = Map.groupBy(rows, ({ companyId }) => companyId)
  return toListResponse(page, request, (company) => companyView(company, byCompany.get(company.id) ?? []))
}

const holdsMoney = async (tx: Repositories, sellerId: string): Promise<boolean> => {
  const balances = await tx.ledger.findBalances(sellerId)
  return SELLER_ACCOUNTS.some((account) => balances[account] !== 0)
}

const replace = async (
  tx: Repositories,
  before: CompanyRow,
  { draft = false, ...fields }: CompanyBody,
  now: Date,
): Promise<CompanyView> => {
  if (isFrozen(before.status) && before.cnpj !== fields.cnpj) throw companyErrors.cnpj_frozen()
  const status = statusAfterEdit(before.status, draft)
  const submits = status !== before.status
  const submission = submits ? { submittedAt: now, rejectionReason: null } : {}
  const after = await tx.companies.move(before, status, { ...fields, ...submission }, now)
  invariant(after !== undefined, 'a locked company was moved by someone else')
  const view = await viewWithDocuments(tx, after)
  if (submits) await tx.events.add([submitted(view)], now)
  return view
}

const refuseBeyondQuota = async (tx: Repositories, sellerId: string): Promise<void> => {
  // Companies that are made at the same moment wait here for each other.
  const seller = await tx.users.lock(sellerId)
  const quota = quotaOf({ approved: seller?.approved ?? false })
  if ((await tx.companies.countLive(sellerId)) >= quota.companiesMax) throw companyErrors.quota_reached()
}

/** What sellers do with their own companies. */
export const createCompaniesService = ({ read, transact, once, clock, newId }: Dependencies) => ({
  /** Throws company.cnpj_taken and company.quota_reached. */
  create: (actor: Actor, body: CompanyBody, idempotency: Idempotency | undefined): Promise<CompanyView> =>
    once(idempotency, async (tx) => {
      const now = clock.now()
      const { draft = false, ...fields } = body
      const company: CompanyRow = {
        ...NEVER_REVIEWED,
        ...fields,
        id: newId(),
        sellerId: actor.sellerId,
        status: draft ? 'draft' : 'awaiting_approval',
        submittedAt: draft ? null : now,
        createdAt: now,
        updatedAt: now,
      }
      await refuseBeyondQuota(tx, actor.sellerId)
      await tx.companies.insert(company)
      const view = companyView(company, [])
      if (!draft) await tx.events.add([submitted(view)], now)
      return view
    }),

  /** The seller's own companies, newest first. */
  async list(actor: Actor, { page, status, ...period }: CompaniesQuery): Promise<ListResponse<CompanyView>> {
    const filter = { ...period, sellerId: actor.sellerId, statuses: status }
    return showCompanies(read.companyDocuments, await read.companies.list(filter, page), page)
  },

  /** Throws company.not_found. */
  async get(actor: Actor, id: string): Promise<CompanyView> {
    const company = await read.companies.find(actor.sellerId, id)
    if (company === undefined) throw companyErrors.not_found()
    return viewWithDocuments(read, company)
  },

  /**
   * Replaces the whole company. One that was rejected or sent back goes to the reviewers again; an approved one stays
   * approved. Throws company.not_found, cnpj_frozen, cnpj_taken and not_draft.
   */
  update: (actor: Actor, id: string, body: CompanyBody, precondition?: Precondition): Promise<CompanyView> =>
    transact(async (tx) => {
      const company = await tx.companies.lock(actor.sellerId, id)
      if (company === undefined) throw companyErrors.not_found()
      precondition?.(await viewWithDocuments(tx, company))
      return replace(tx, company, body, clock.now())
    }),

  /** Throws company.not_found, and company.balance_not_zero once the company was approved and money is held. */
  remove: (actor: Actor, id: string): Promise<void> =>
    transact(async (tx) => {
      const now = clock.now()
      const target = await lockTarget(tx, actor.sellerId, id)
      const isHeld = isFrozen(target.company.status) && (await holdsMoney(tx, actor.sellerId))
      if (isHeld) throw companyErrors.balance_not_zero()
      await tx.companies.deleteSoftly(actor.sellerId, id, now)
      await followApproval(tx, target, now)
    }),
})

export type CompaniesService = ReturnType<typeof createCompaniesService>
