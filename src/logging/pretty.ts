import type { Writable } from 'node:stream'
import type { DestinationStream } from 'pino'

const LEVELS: Readonly<Record<number, string>> = {
  10: 'trace',
  20: 'debug',
  30: 'info',
  40: 'WARN',
  50: 'ERROR',
  60: 'FATAL',
}
const HIDDEN: ReadonlySet<string> = new Set(['level', 'time', 'msg', 'pid', 'hostname', 'err'])

type Line = { level: number; time: string; msg?: string; err?: { type: string; message: string; stack: string } }

const textOf = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value))

/** One log line as a person reads it: time, level, message, fields, and below it the error's stack. */
export const prettyLine = (json: string): string => {
  const line = JSON.parse(json) as Line
  const fields = Object.entries(line).flatMap(([name, value]) => (HIDDEN.has(name) ? [] : [`${name}=${textOf(value)}`]))
  const head = [line.time.slice(11, 23), (LEVELS[line.level] ?? '').padEnd(5), line.msg ?? '', ...fields].join(' ')
  const { err } = line
  return err === undefined ? `${head}\n` : `${head}\n  ${err.type}: ${err.message}\n${err.stack}\n`
}

/** Writes JSON lines in a readable form, at once: the last line before an exit must not be lost. */
export const createPrettyStream = (output: Writable): DestinationStream => ({
  write: (json) => {
    output.write(prettyLine(json))
  },
})
