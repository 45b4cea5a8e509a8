import type { Reads, Transact } from '../../repositories.ts'
import type { DocumentStorage } from '../../storage/storage.port.ts'
import { logoKey } from './branding.service.ts'

type Dependencies = { read: Pick<Reads, 'branding'>; transact: Transact; storage: DocumentStorage }

const BATCH_SIZE = 100

/** Removes the files of logos that were removed or replaced, then their rows: one bounded batch, safe to repeat. Answers how many. */
export const createForgetLogos =
  ({ read, transact, storage }: Dependencies) =>
  async (): Promise<number> => {
    const removed = await read.branding.listRemovedLogos(BATCH_SIZE)
    for (const { id } of removed) await storage.remove(logoKey(id))
    if (removed.length > 0) await transact((tx) => tx.branding.deleteLogos(removed.map(({ id }) => id)))
    return removed.length
  }
