import type { Clock } from '../../clock.ts'
import type { Actor } from '../../domain/actor.ts'
import type { DocumentContentType } from '../../domain/company-document.ts'
import { invariant } from '../../domain/invariant.ts'
import { requestErrors } from '../../errors.ts'
import type { NewId } from '../../ids.ts'
import type { Reads, Transact } from '../../repositories.ts'
import type { DocumentStorage } from '../../storage/storage.port.ts'
import { createStoring } from '../../storage/storing.ts'
import { type FormFault, fileFaults, harmlessFileName, sniffDocument } from '../../storage/uploaded-documents.ts'
import type { ReceiveUpload, Upload, UploadedFile } from '../../storage/uploads.ts'
import { documentErrors } from '../companies/companies.errors.ts'
import { disputeErrors } from './disputes.errors.ts'
import type { Dispute, DisputeFile } from './disputes.queries.ts'
import { DEFENSE_FILES_MAX, DEFENSE_TEXT_MAX } from './disputes.schemas.ts'
import { type DisputeView, disputeView } from './disputes.view.ts'

type Dependencies = {
  read: Pick<Reads, 'disputes'>
  transact: Transact
  storage: DocumentStorage
  clock: Clock
  newId: NewId
  /** Called after the commit so that the provider is told at once. Never throws. */
  sendDefensesSoon: () => Promise<void>
}

type Judged = { file: UploadedFile & { contentType: DocumentContentType }; row: DisputeFile }

const textFaults = (texts: Upload['texts']): FormFault[] => {
  const unknown = texts.filter(({ field }) => field !== 'text')
  const given = texts.filter(({ field }) => field === 'text').map(({ value }) => value.trim())
  const [text = ''] = given
  return [
    ...unknown.map(({ field }) => ({
      path: field,
      code: 'unknown_field',
      message: 'This operation does not take this field.',
    })),
    ...(given.length > 1 ? [{ path: 'text', code: 'too_big', message: 'Send exactly one text.' }] : []),
    ...(text === '' ? [{ path: 'text', code: 'required', message: 'Say why the payment was right.' }] : []),
    ...(text.length > DEFENSE_TEXT_MAX
      ? [{ path: 'text', code: 'too_big', message: `must have at most ${DEFENSE_TEXT_MAX} characters` }]
      : []),
  ]
}

const checkForm = ({ texts, files }: Upload): string => {
  const faults = [...textFaults(texts), ...fileFaults(files)]
  if (files.length > DEFENSE_FILES_MAX)
    faults.push({ path: 'file', code: 'too_big', message: `Send at most ${DEFENSE_FILES_MAX} files.` })
  if (faults.length > 0) throw requestErrors.failed({ errors: faults.map((fault) => ({ in: 'body', ...fault })) })
  return texts[0]?.value.trim() ?? ''
}

/** How sellers answer disputes. */
export const createDefenses = (dependencies: Dependencies) => {
  const { read, transact, storage, clock, newId, sendDefensesSoon } = dependencies
  const storing = createStoring(storage)

  const judge = async (file: UploadedFile, { sellerId, id: disputeId }: Dispute): Promise<Judged> => {
    // Before anything is waited for: files are listed by their ids, in the order in which they were sent.
    const id = newId()
    const contentType = await sniffDocument(file)
    if (contentType === undefined) throw documentErrors.type_not_supported()
    const { sizeBytes, sha256 } = file
    const fileName = harmlessFileName(file.fileName, contentType)
    const storageKey = `${disputeId}/${id}`
    const facts = { fileName, contentType, sizeBytes, sha256, storageKey }
    return { file: { ...file, contentType }, row: { ...facts, sellerId, id, disputeId, createdAt: clock.now() } }
  }

  const checkOpen = ({ status, respondBy }: Dispute): void => {
    if (status !== 'open') throw disputeErrors.not_open()
    if (clock.now() > respondBy) throw disputeErrors.defense_too_late()
  }

  const write = (found: Dispute, text: string, files: readonly DisputeFile[]): Promise<DisputeView> =>
    transact(async (tx) => {
      const now = clock.now()
      const dispute = await tx.disputes.lock(found)
      invariant(dispute !== undefined, 'a dispute vanished, though none is ever deleted')
      checkOpen(dispute)
      const after = await tx.disputes.move(dispute, 'under_review', { defense: text, defendedAt: now }, now)
      invariant(after !== undefined, 'a locked dispute was moved by someone else')
      await tx.disputes.insertFiles(files)
      return disputeView(after, files)
    })

  return {
    /**
     * Answers an open dispute, once, in time. Throws dispute.not_found, .not_open, .defense_too_late,
     * document.type_not_supported and validation.failed.
     */
    async defend(actor: Actor, id: string, receive: ReceiveUpload): Promise<DisputeView> {
      const dispute = await read.disputes.find(actor.sellerId, id)
      if (dispute === undefined) throw disputeErrors.not_found()
      checkOpen(dispute)
      const view = await receive(async (upload) => {
        const text = checkForm(upload)
        const judged = await Promise.all(upload.files.map((file) => judge(file, dispute)))
        const keyed = judged.map(({ row, file }) => ({ key: row.storageKey, file }))
        const rows = judged.map(({ row }) => row)
        return storing(keyed, () => write(dispute, text, rows))
      })
      await sendDefensesSoon()
      return view
    },
  }
}
