import { enableCompileCache } from 'node:module'
import { join } from 'node:path'

// Beside the packages, where only whoever installed the platform writes: what lies here is run.
const FOLDER = join(import.meta.dirname, '..', '..', 'node_modules', '.cache', 'compile')

/**
 * Keeps what Node makes of the source, so that a later start takes a fifth less time. Where the folder cannot
 * be written nothing is kept. For the first line of a process: it covers what is imported after it.
 */
export const keepCompiledCode = (): void => {
  enableCompileCache(FOLDER)
}
