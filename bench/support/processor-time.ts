import { readdir, readFile } from 'node:fs/promises'

const TICKS_PER_SECOND = 100

/** What /proc says of a process; undefined once it has ended. Times are in ticks. */
const statOf = async (pid: number) => {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => undefined)
  if (stat === undefined) return undefined
  // The fields behind the name, which may hold anything: state, parent, …
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  const ticks = (index: number): number => Number(fields[index])
  return { pid, parent: ticks(1), own: ticks(11) + ticks(12), ofEndedChildren: ticks(13) + ticks(14) }
}

/** Seconds of processor time of a process and its children so far, also of those that have ended. */
export const cpuSecondsOfFamily = async (parent: number): Promise<number> => {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name)).map(Number)
  const stats = await Promise.all(pids.map(statOf))
  const ticks = stats.map((stat) => {
    if (stat?.pid === parent) return stat.own + stat.ofEndedChildren
    return stat?.parent === parent ? stat.own : 0
  })
  return ticks.reduce((sum, count) => sum + count, 0) / TICKS_PER_SECOND
}
