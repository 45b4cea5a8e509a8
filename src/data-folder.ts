import { accessSync, constants, mkdirSync } from 'node:fs'

/** DATA_DIR cannot be used. The message is one line that says why and what to do. */
export class DataFolderError extends Error {
  override readonly name = 'DataFolderError'
}

const REASONS: Readonly<Record<string, string>> = {
  EACCES: 'may not be read and written by this account',
  EPERM: 'may not be read and written by this account',
  EROFS: 'is on a file system that is read-only',
  ENOSPC: 'cannot be written, because the disk is full',
  EDQUOT: "cannot be written, because this account's share of the disk is full",
  ENOTDIR: 'is no folder',
  EEXIST: 'is no folder',
}

type FileFault = Error & { code: string; path: string }

const isFileFault = (error: unknown): error is FileFault =>
  error instanceof Error && 'syscall' in error && 'code' in error && 'path' in error && typeof error.path === 'string'

/** The one line for a file or folder of DATA_DIR that could not be used, or what was thrown if it is something else. */
export const dataFolderFault = (error: unknown): unknown => {
  if (!isFileFault(error)) return error
  const reason = REASONS[error.code] ?? 'cannot be used'
  const line = `${error.path} ${reason} (${error.code}). Let this account use it, or set DATA_DIR to a folder of its own.`
  return new DataFolderError(line, { cause: error })
}

/** Does something with the files of DATA_DIR. Throws DataFolderError where the system does not let it. */
export const usingDataFolder = <T>(work: () => T): T => {
  try {
    return work()
  } catch (error) {
    throw dataFolderFault(error)
  }
}

/** Makes the folder if it is missing. Throws DataFolderError unless files of it can be read and written. */
export const openDataFolder = (folder: string): void =>
  usingDataFolder(() => {
    mkdirSync(folder, { recursive: true })
    accessSync(folder, constants.R_OK | constants.W_OK | constants.X_OK)
  })
