import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

const run = promisify(execFile)

export type WrkOptions = {
  url: string
  connections: number
  seconds: number
  script: string
  /** Given to the script as its arguments. */
  args?: readonly string[]
  /** Ends it before its time: then it throws. */
  signal?: AbortSignal
}

/** Closed-loop load: each connection sends its next request when it has its answer. Latencies in milliseconds. */
export type WrkResult = { perSecond: number; requests: number; p50: number; p99: number; failures: number }

const RESULT = /^RESULT (.+)$/m

/** Runs Debian's wrk with one thread. A failure is an answer other than 2xx, or none. */
export const wrk = async ({ url, connections, seconds, script, args = [], signal }: WrkOptions): Promise<WrkResult> => {
  const { stdout } = await run(
    'wrk',
    ['-t1', `-c${connections}`, `-d${seconds}s`, '--timeout', '10s', '-s', script, url, '--', ...args],
    {
      maxBuffer: 1 << 24,
      ...(signal && { signal }),
    },
  )
  const [, json] = RESULT.exec(stdout) ?? []
  if (json === undefined) throw new Error(`wrk said nothing that is understood:\n${stdout}`)
  return JSON.parse(json)
}
