import type { TestProject } from 'vitest/node'
import { startTestServer } from './postgres-server.ts'

declare module 'vitest' {
  interface ProvidedContext {
    postgresAdminUrl: string
  }
}

export const setup = async (project: TestProject): Promise<() => Promise<void>> => {
  const { kind, adminUrl, stop } = await startTestServer()
  process.stdout.write(`Postgres of this run: ${kind}\n`)
  project.provide('postgresAdminUrl', adminUrl)
  return stop
}
