/**
 * Runs a file of the platform: `node src/start/launch.js src/server.ts`. Plain `node src/server.ts` does the same and
 * holds twice the memory. JavaScript on purpose: where nothing is left to be made of the source, Node then does not load
 * its compiler of TypeScript either.
 */
import { enableCompileCache } from 'node:module'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'

// On a machine with much memory Node lets 200 MiB of garbage lie before it looks for any: in the young generation, and in
// the old one until that has grown several times over. Both can only be said to a process that starts.
const OPTIONS = ['--max-semi-space-size=8', '--heap-growing-percent=50']

// It stays the same process, so that signals reach it. Windows, which cannot do this, goes without.
if (process.execve !== undefined && !OPTIONS.every((option) => process.execArgv.includes(option))) {
  process.execve(process.execPath, [process.execPath, ...process.execArgv, ...OPTIONS, ...process.argv.slice(1)])
}

// What Node makes of the source is kept beside the packages, where only whoever installed the platform writes: what lies
// there is run. Where the folder cannot be written nothing is kept.
enableCompileCache(join(import.meta.dirname, '..', '..', 'node_modules', '.cache', 'compile'))

const [, , file = ''] = process.argv
await import(pathToFileURL(resolve(file)).href)
