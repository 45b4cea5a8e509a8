import { AppError } from '../errors.ts'
import type { DocumentStorage, StoredFile } from './storage.port.ts'

/** A file and the key of ours under which it is to lie. */
export type Keyed = { key: string; file: StoredFile }

/**
 * Puts files into the storage, then does the work that writes their rows: a crash between the two leaves a file that
 * nobody names, never a row without a file. `isRepeat` says that the work wrote nothing after all.
 */
export const createStoring = (storage: DocumentStorage) => {
  const discard = (files: readonly Keyed[]) => Promise.allSettled(files.map(({ key }) => storage.remove(key)))

  const putAll = async (files: readonly Keyed[]): Promise<void> => {
    try {
      for (const { key, file } of files) await storage.put(key, file)
    } catch (error) {
      await discard(files)
      throw error
    }
  }

  return async <Result>(files: readonly Keyed[], work: () => Promise<Result>, isRepeat = () => false) => {
    await putAll(files)
    try {
      const result = await work()
      if (isRepeat()) await discard(files)
      return result
    } catch (error) {
      // Only a refusal is known to have written nothing: after any other failure the rows may be there.
      if (error instanceof AppError) await discard(files)
      throw error
    }
  }
}
