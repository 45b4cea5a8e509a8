import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { EmbeddedPostgresError } from './error.ts'

const SQLITE_BUSY = 5

const isHeld = (error: unknown): boolean =>
  error instanceof Error && 'errcode' in error && error.errcode === SQLITE_BUSY

const openLock = (file: string): DatabaseSync => {
  try {
    return new DatabaseSync(file)
  } catch (cause) {
    throw new EmbeddedPostgresError(
      `${file} cannot be opened: let this account use it, or set DATA_DIR to a folder of its own.`,
      { cause },
    )
  }
}

/**
 * Makes this process the only one that runs the Postgres of a data folder, until the returned function is called or
 * the process dies. Throws EmbeddedPostgresError while another process does.
 *
 * SQLite holds the lock, since Node itself has no call for a file lock that the kernel drops with its process.
 */
export const takeOwnership = (dataDir: string): (() => void) => {
  const holderFile = join(dataDir, 'postgres-owner.pid')
  const lockFile = join(dataDir, 'postgres-owner.lock')
  const lock = openLock(lockFile)
  try {
    lock.exec('BEGIN EXCLUSIVE')
  } catch (cause) {
    lock.close()
    if (!isHeld(cause)) {
      throw new EmbeddedPostgresError(
        `${lockFile} cannot be locked: let this account write it, or set DATA_DIR to a folder of its own.`,
        { cause },
      )
    }
    throw new EmbeddedPostgresError(
      `Process ${holderOf(holderFile)} already runs the embedded Postgres of ${dataDir}: stop it, or set DATA_DIR or DATABASE_URL.`,
      { cause },
    )
  }
  writeFileSync(holderFile, `${process.pid}\n`)
  return () => {
    if (lock.isOpen) lock.close()
  }
}

const holderOf = (file: string): string => {
  try {
    return readFileSync(file, 'utf8').trim()
  } catch {
    return '(unknown)'
  }
}
