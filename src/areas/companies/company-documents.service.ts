import { createHash } from 'node:crypto'
import type { Readable } from 'node:stream'
import type { Clock } from '../../clock.ts'
import type { Actor } from '../../domain/actor.ts'
import type { CompanyStatus } from '../../domain/company.ts'
import { DOCUMENTS_PER_COMPANY_MAX, documentLifecycle } from '../../domain/company-document.ts'
import { invariant } from '../../domain/invariant.ts'
import { quotaOf } from '../../domain/seller-quota.ts'
import type { Idempotency, Once } from '../../idempotency/once.ts'
import type { NewId } from '../../ids.ts'
import type { Reads, Repositories, Transact } from '../../repositories.ts'
import type { DocumentStorage } from '../../storage/storage.port.ts'
import { createStoring } from '../../storage/storing.ts'
import type { ReceiveUpload } from '../../storage/uploads.ts'
import { companyErrors, documentErrors } from './companies.errors.ts'
import type { CompanyRow } from './companies.repository.ts'
import { type DocumentView, documentView } from './companies.view.ts'
import { type JudgedFile, judgeFiles, judgeReplacement } from './company-document-files.ts'
import type { DocumentRow } from './company-documents.repository.ts'

type Dependencies = {
  read: Pick<Reads, 'companies' | 'companyDocuments'>
  transact: Transact
  once: Once<Repositories>
  storage: DocumentStorage
  clock: Clock
  newId: NewId
}

const TAKES_NEW: readonly CompanyStatus[] = ['draft', 'awaiting_approval', 'changes_requested', 'rejected']
// Papers of an approved company go out of date: the newer one waits for its review, the company stays approved.
const TAKES_REPLACEMENTS: readonly CompanyStatus[] = [...TAKES_NEW, 'approved']

type Stored = { row: DocumentRow; file: JudgedFile }

const prepare = ({ sellerId, id: companyId }: CompanyRow, file: JudgedFile, id: string, now: Date): Stored => {
  const { type, fileName, contentType, sizeBytes, sha256 } = file
  const facts = { type, fileName, contentType, sizeBytes, sha256 }
  const state = { status: 'pending', rejectionReason: null, createdAt: now, updatedAt: now } as const
  return { file, row: { ...facts, ...state, sellerId, id, companyId, storageKey: `${companyId}/${id}` } }
}

/** A form is the same as another when its files are: what a repeated Idempotency-Key is held against. */
const nameByContent = (idempotency: Idempotency, files: readonly JudgedFile[]): Idempotency => {
  const facts = files.map(({ type, fileName, sha256 }) => [type, fileName, sha256])
  idempotency.requestHash = createHash('sha256').update(JSON.stringify(facts)).digest('hex')
  return idempotency
}

const lockCompany = async (tx: Repositories, { sellerId, id }: CompanyRow, states: readonly CompanyStatus[]) => {
  const company = await tx.companies.lock(sellerId, id)
  if (company === undefined) throw companyErrors.not_found()
  if (!states.includes(company.status)) throw documentErrors.company_closed()
}

const refuseBeyondQuota = async (tx: Repositories, { sellerId }: CompanyRow, rows: readonly DocumentRow[]) => {
  // Files that are sent at the same moment, for whichever company, wait here for each other.
  const seller = await tx.users.lock(sellerId)
  const { documentsMax, documentBytesMax } = quotaOf({ approved: seller?.approved ?? false })
  const kept = await tx.companyDocuments.sumBySeller(sellerId)
  const bytes = rows.reduce((sum, { sizeBytes }) => sum + sizeBytes, kept.bytes)
  if (kept.documents + rows.length > documentsMax || bytes > documentBytesMax) throw documentErrors.quota_reached()
}

const insert = async (tx: Repositories, company: CompanyRow, rows: readonly DocumentRow[]): Promise<void> => {
  const existing = await tx.companyDocuments.countByCompany(company)
  if (existing + rows.length > DOCUMENTS_PER_COMPANY_MAX) throw documentErrors.too_many()
  await refuseBeyondQuota(tx, company, rows)
  await tx.companyDocuments.insert(rows)
}

const keyed = ({ row, file }: Stored) => ({ key: row.storageKey, file })

/** The documents that sellers send for the review of their companies. */
export const createCompanyDocumentsService = ({ read, transact, once, storage, clock, newId }: Dependencies) => {
  const storing = createStoring(storage)

  const findOwn = async (actor: Actor, companyId: string): Promise<CompanyRow> => {
    const company = await read.companies.find(actor.sellerId, companyId)
    if (company === undefined) throw companyErrors.not_found()
    return company
  }

  const findReadable = async (actor: Actor, companyId: string): Promise<CompanyRow> => {
    if (actor.role === 'seller') return findOwn(actor, companyId)
    const company = await read.companies.findById(companyId)
    if (company === undefined) throw companyErrors.not_found()
    return company
  }

  return {
    /** Throws company.not_found, document.company_closed, document.too_many, document.quota_reached and what judgeFiles throws. */
    async add(actor: Actor, companyId: string, receive: ReceiveUpload, idempotency: Idempotency | undefined) {
      const company = await findOwn(actor, companyId)
      return receive(async (upload): Promise<{ documents: DocumentView[] }> => {
        const files = await judgeFiles(upload)
        const stored = files.map((file) => prepare(company, file, newId(), clock.now()))
        const rows = stored.map(({ row }) => row)
        const named = idempotency && nameByContent(idempotency, files)
        const write = () =>
          once(named, async (tx) => {
            await lockCompany(tx, company, TAKES_NEW)
            await insert(tx, company, rows)
            return { documents: rows.map(documentView) }
          })
        return storing(stored.map(keyed), write, () => named?.replayed === true)
      })
    },

    /**
     * Sends a newer version; the old one is kept as superseded. Throws company.not_found, document.not_found,
     * company_closed, superseded, too_many, quota_reached and what judgeReplacement throws.
     */
    async replace(actor: Actor, companyId: string, documentId: string, receive: ReceiveUpload): Promise<DocumentView> {
      const company = await findOwn(actor, companyId)
      const old = await read.companyDocuments.find(company, documentId)
      if (old === undefined) throw documentErrors.not_found()
      return receive(async (upload) => {
        const stored = prepare(company, await judgeReplacement(upload, old.type), newId(), clock.now())
        const write = () =>
          transact(async (tx) => {
            await lockCompany(tx, company, TAKES_REPLACEMENTS)
            await supersede(tx, company, documentId, clock.now())
            await insert(tx, company, [stored.row])
            return documentView(stored.row)
          })
        return storing([keyed(stored)], write)
      })
    },

    /** The file itself, for its seller and for administrators. Throws company.not_found and document.not_found. */
    async open(actor: Actor, companyId: string, documentId: string): Promise<{ file: DocumentRow; content: Readable }> {
      const company = await findReadable(actor, companyId)
      const file = await read.companyDocuments.find(company, documentId)
      if (file === undefined) throw documentErrors.not_found()
      // Who looked at whose papers is written down before they do.
      await transact((tx) => tx.audit.add(readingOf(actor, file), clock.now()))
      return { file, content: await storage.open(file.storageKey) }
    },
  }
}

const readingOf = (actor: Actor, { id, sellerId, companyId }: DocumentRow) => ({
  actor,
  action: 'document.read',
  targetType: 'company_document',
  targetId: id,
  sellerId,
  after: { companyId },
})

const supersede = async (tx: Repositories, company: CompanyRow, documentId: string, now: Date): Promise<void> => {
  const current = await tx.companyDocuments.find(company, documentId)
  invariant(current !== undefined, 'a document vanished, though none is ever deleted')
  if (!documentLifecycle.allows(current.status, 'superseded')) throw documentErrors.superseded()
  const moved = await tx.companyDocuments.move(current, 'superseded', current.rejectionReason, now)
  invariant(moved !== undefined, 'a document of a locked company was moved by someone else')
}

export type CompanyDocumentsService = ReturnType<typeof createCompanyDocumentsService>
