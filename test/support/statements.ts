import type { Pool, PoolClient } from 'pg'

type Sent = { text: string } | string

const textOf = (given: unknown): string => {
  const sent = given as Sent
  return (typeof sent === 'string' ? sent : sent.text).replaceAll(/\s+/g, ' ').trim()
}

/** The texts of all statements that a pool sends while something is done, in the order in which they are sent. */
export const recordStatements = async <Result>(pool: Pool, work: () => Promise<Result>) => {
  const statements: string[] = []
  const restore: (() => void)[] = []
  const record = (client: PoolClient): void => {
    const { query } = client
    const recording = (...given: unknown[]): unknown => {
      statements.push(textOf(given[0]))
      return Reflect.apply(query, client, given)
    }
    Object.assign(client, { query: recording })
    restore.push(() => Object.assign(client, { query }))
  }
  const seen = new Set<PoolClient>()
  const onAcquire = (client: PoolClient): void => {
    if (seen.has(client)) return
    seen.add(client)
    record(client)
  }
  pool.on('acquire', onAcquire)
  try {
    return { result: await work(), statements }
  } finally {
    pool.off('acquire', onAcquire)
    for (const undo of restore) undo()
  }
}
