import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { startTestServer } from './postgres-server.ts'

declare module 'vitest' {
  interface ProvidedContext {
    postgresAdminUrl: string
  }
}

// Many tests start the platform as a process: what Node makes of the source is kept for the next, as `npm start` keeps it.
process.env.NODE_COMPILE_CACHE ??= join(import.meta.dirname, '..', '..', 'node_modules', '.cache', 'compile')

export const setup = async (project: TestProject): Promise<() => Promise<void>> => {
  const { kind, adminUrl, stop } = await startTestServer()
  process.stdout.write(`Postgres of this run: ${kind}\n`)
  project.provide('postgresAdminUrl', adminUrl)
  return stop
}
