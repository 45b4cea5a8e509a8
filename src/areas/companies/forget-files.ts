import type { Reads, Transact } from '../../repositories.ts'
import type { DocumentStorage } from '../../storage/storage.port.ts'

type Dependencies = { read: Pick<Reads, 'companyDocuments'>; transact: Transact; storage: DocumentStorage }

const BATCH_SIZE = 100

/**
 * Removes the files of deleted companies that were never approved, then their rows: one bounded batch, safe to repeat.
 * Those of approved ones are kept, as evidence of who was let in. Answers how many.
 */
export const createForgetFiles =
  ({ read, transact, storage }: Dependencies) =>
  async (): Promise<number> => {
    const documents = await read.companyDocuments.listForgotten(BATCH_SIZE)
    for (const { storageKey } of documents) await storage.remove(storageKey)
    if (documents.length > 0) await transact((tx) => tx.companyDocuments.delete(documents))
    return documents.length
  }
