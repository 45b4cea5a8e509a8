import { readdir, readFile } from 'node:fs/promises'
import { Client } from 'pg'

const parentOf = async (pid: number): Promise<number> => {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '')
  return Number(/^PPid:\s+(\d+)$/m.exec(status)?.[1] ?? 0)
}

const childrenOf = async (parent: number): Promise<number[]> => {
  const pids = (await readdir('/proc')).map(Number).filter((pid) => pid > 0)
  const parents = await Promise.all(pids.map(parentOf))
  return pids.filter((_, index) => parents[index] === parent)
}

const postmasterOf = async (url: string): Promise<number> => {
  const client = new Client({ connectionString: url })
  await client.connect()
  const { rows } = await client.query<{ pid: string }>(
    `select split_part(pg_read_file('postmaster.pid'), E'\\n', 1) as pid`,
  )
  await client.end()
  const pid = Number(rows[0]?.pid)
  if (!(pid > 1)) throw new Error('no such server')
  return pid
}

/** Stops every process of a Postgres of this machine where it stands, sessions and all. Answers how to let it go on. */
export const freeze = async (url: string): Promise<() => void> => {
  const postmaster = await postmasterOf(url)
  // First the one that makes more of them.
  process.kill(postmaster, 'SIGSTOP')
  const backends = await childrenOf(postmaster)
  for (const pid of backends) process.kill(pid, 'SIGSTOP')
  return () => {
    for (const pid of [...backends, postmaster]) process.kill(pid, 'SIGCONT')
  }
}
