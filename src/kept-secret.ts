import { randomBytes } from 'node:crypto'
import { existsSync, linkSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { openDataFolder, usingDataFolder } from './data-folder.ts'

const SECRET_BYTES = 48

/** A secret of development, made once and kept in a file of this name, so that tokens and sealed secrets outlive a restart. Throws DataFolderError. */
export const keptSecret = (dataDir: string, name: string): string => {
  const file = join(dataDir, name)
  if (!existsSync(file)) {
    openDataFolder(dataDir)
    const draft = `${file}.${process.pid}`
    writeFileSync(draft, randomBytes(SECRET_BYTES).toString('base64url'), { mode: 0o600 })
    // Linking is all or nothing: of two processes that start together, both go on with the secret of the first.
    try {
      linkSync(draft, file)
    } catch (error) {
      if (!existsSync(file)) throw error
    } finally {
      rmSync(draft)
    }
  }
  return usingDataFolder(() => readFileSync(file, 'utf8'))
}
