import { createReadStream } from 'node:fs'
import type { Clock } from '../../clock.ts'
import { toListResponse } from '../../db/page.ts'
import type { Actor } from '../../domain/actor.ts'
import { addDays, saoPauloDate, startOfSaoPauloDay } from '../../domain/calendar.ts'
import { invariant } from '../../domain/invariant.ts'
import type { StatementFormat } from '../../domain/reconciliation.ts'
import { toTimestamp } from '../../domain/timestamp.ts'
import { type InputFault, requestErrors } from '../../errors.ts'
import type { NewId } from '../../ids.ts'
import type { ProviderRegistry } from '../../providers/provider.registry.ts'
import type { Reads, Repositories, Transact } from '../../repositories.ts'
import type { DocumentStorage } from '../../storage/storage.port.ts'
import { createStoring } from '../../storage/storing.ts'
import { fileFaults } from '../../storage/uploaded-documents.ts'
import type { ReceiveUpload, Upload, UploadedFile } from '../../storage/uploads.ts'
import type { ProviderStatement, StatementState } from './provider-statements.queries.ts'
import { STATEMENT_LINES_MAX, type StatementsQuery, statementTexts } from './provider-statements.schemas.ts'
import { reconciliationErrors } from './reconciliation.errors.ts'
import { newReconciliation, SLACK_MS } from './reconciliation.run.ts'
import type { FileFault, FileLine } from './statement-file.ts'
import { statementReaders } from './statement-files.ts'

const FAULTS_MAX = 20

type Dependencies = {
  read: Pick<Reads, 'reconciliation'>
  transact: Transact
  providers: ProviderRegistry
  storage: DocumentStorage
  clock: Clock
  newId: NewId
  /** Compares what was asked for now instead of with the next round of the jobs. Never throws. */
  reconcileSoon: () => Promise<void>
}

type Faults = Pick<InputFault, 'path' | 'code' | 'message'>[]

const refuse = (faults: Faults): void => {
  if (faults.length > 0) throw requestErrors.failed({ errors: faults.map((fault) => ({ in: 'body', ...fault })) })
}

/** The form's texts and its one file. Throws validation.failed with every fault at once. */
const readForm = ({ texts, files }: Upload) => {
  const given = Object.fromEntries(texts.map(({ field, value }) => [field, value]))
  const { data, error } = statementTexts.safeParse(given)
  const faults: Faults = (error?.issues ?? []).flatMap((issue) => {
    const { path, code, message } = issue
    return issue.code === 'unrecognized_keys'
      ? issue.keys.map((key) => ({ path: key, code, message: 'This operation does not take this field.' }))
      : [{ path: path.join('.'), code, message }]
  })
  if (Object.keys(given).length < texts.length)
    faults.push({ path: '', code: 'repeated_field', message: 'Send each field once.' })
  if (files.length !== 1) faults.push({ path: 'file', code: 'required', message: 'Send exactly one file.' })
  refuse([...faults, ...fileFaults(files)])
  const [file] = files
  invariant(data !== undefined && file !== undefined, 'a form without a fault lacks something')
  return { ...data, file }
}

const asFaults = (faults: readonly FileFault[]): Faults =>
  faults.map(({ line, message }) => ({ path: 'file', code: 'malformed_line', message: `Line ${line}: ${message}` }))

const faultIn = (read: FileLine, date: string): FileFault[] => {
  if ('fault' in read) return [read.fault]
  const from = startOfSaoPauloDay(date).getTime() - SLACK_MS
  const to = startOfSaoPauloDay(addDays(date, 1)).getTime() + SLACK_MS
  const at = read.line.happenedAt.getTime()
  return at >= from && at < to
    ? []
    : [{ line: read.number, message: `happened_at is no moment of ${date} in São Paulo` }]
}

/** Reads a file to its end. Answers how many lines it has. Throws validation.failed with the first 20 faults. */
const countLines = async ({ path }: UploadedFile, format: StatementFormat, date: string): Promise<number> => {
  const faults: FileFault[] = []
  let count = 0
  for await (const read of statementReaders[format](() => createReadStream(path), date)) {
    count += 1
    faults.push(...faultIn(read, date))
    if (count > STATEMENT_LINES_MAX)
      faults.push({ line: count + 1, message: `is one of more than ${STATEMENT_LINES_MAX}` })
    if (faults.length >= FAULTS_MAX || count > STATEMENT_LINES_MAX) break
  }
  refuse(asFaults(faults))
  return count
}

const viewOf = (row: ProviderStatement, reconciliationId: string) => ({
  id: row.id,
  provider: row.provider,
  date: row.date,
  format: row.format,
  size: row.sizeBytes,
  sha256: row.sha256,
  linesCount: row.linesCount,
  reconciliationId,
  createdAt: toTimestamp(row.createdAt),
  updatedAt: toTimestamp(row.updatedAt),
})

const listedView = (row: ProviderStatement, state: StatementState | undefined) => {
  invariant(state !== undefined, 'a statement has no day that is compared with it')
  const { reconciliationId, status: reconciliationStatus, isCurrent } = state
  return { ...viewOf(row, reconciliationId), createdBy: row.createdBy, isCurrent, reconciliationStatus }
}

/** Files that people hand in where a provider gives no list, or a wrong one. */
export const createProviderStatements = (dependencies: Dependencies) => {
  const { read, transact, providers, storage, clock, newId, reconcileSoon } = dependencies
  const storing = createStoring(storage)

  const checkDay = (provider: string, date: string): void => {
    if (providers.find(provider) === undefined) throw reconciliationErrors.provider_unknown()
    if (date >= saoPauloDate(clock.now())) throw reconciliationErrors.day_not_over()
  }

  const write = async (tx: Repositories, actor: Actor, row: ProviderStatement) => {
    const now = clock.now()
    const kept = await tx.reconciliation.putStatement({ ...row, updatedAt: now })
    const { provider, date, sha256, linesCount } = kept
    const why = { cause: 'statement' as const, requestedBy: actor.userId }
    const day = await tx.reconciliation.begin(newReconciliation(newId(), provider, date, now), why)
    const target = { targetType: 'provider_statement', targetId: kept.id }
    const after = { provider, date, sha256, linesCount }
    await tx.audit.add({ actor, action: 'provider_statement.hand_in', ...target, after }, now)
    return { isRepeat: kept.id !== row.id, view: viewOf(kept, day.id) }
  }

  return {
    /** Newest first. */
    async listStatements({ page, ...period }: StatementsQuery) {
      const found = await read.reconciliation.listStatements(period, page)
      const states = await read.reconciliation.findStatementStates(found.rows.map(({ id }) => id))
      return toListResponse(found, page, (row) => listedView(row, states.get(row.id)))
    },

    /**
     * Takes a file as a provider's statement of a day and has the day compared with it. The same file again is the same
     * statement. Throws validation.failed with line numbers, reconciliation.provider_unknown and .day_not_over.
     */
    async handInStatement(actor: Actor, receive: ReceiveUpload) {
      const result = await receive(async (upload) => {
        const { provider, date, format, file } = readForm(upload)
        checkDay(provider, date)
        const known = await read.reconciliation.findStatement(provider, date)
        if (known?.sha256 === file.sha256) {
          const day = await read.reconciliation.findDay(provider, date)
          if (day !== undefined) return { isRepeat: true, view: viewOf(known, day.id) }
        }
        const linesCount = await countLines(file, format, date)
        const id = newId()
        const { sha256, sizeBytes } = file
        const times = { createdAt: clock.now(), updatedAt: clock.now() }
        const facts = { provider, date, format, sha256, sizeBytes, linesCount, createdBy: actor.userId, ...times }
        const row = { ...facts, id, storageKey: `statements/${id}` }
        let isRepeat = false
        const stored = { path: file.path, contentType: 'text/csv', sizeBytes }
        return storing(
          [{ key: row.storageKey, file: stored }],
          async () => {
            const written = await transact((tx) => write(tx, actor, row))
            isRepeat = written.isRepeat
            return written
          },
          () => isRepeat,
        )
      })
      await reconcileSoon()
      return result
    },
  }
}
