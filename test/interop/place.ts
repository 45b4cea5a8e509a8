import { spawnSync } from 'node:child_process'
import { copyFileSync, existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const WALKS = join(import.meta.dirname, 'walks')
const STEP_TIMEOUT_MS = 600_000

/** Where one client is made: a folder of its own, and one that all share for what they install. */
export type Place = { folder: string; tools: string; document: string; input: string }

type Options = { cwd?: string; env?: Readonly<Record<string, string>> }

/** Runs a command to its end and answers what it printed. Throws with all that it said where it fails. */
export const run = (command: string, args: readonly string[], { cwd, env }: Options = {}): string => {
  const { status, stdout, stderr, error } = spawnSync(command, args, {
    cwd,
    env: { ...process.env, ...env },
    encoding: 'utf8',
    timeout: STEP_TIMEOUT_MS,
    maxBuffer: 100_000_000,
  })
  if (error !== undefined || status !== 0) {
    throw new Error(`${command} ${args.join(' ')}: ${error?.message ?? status}\n${stdout}\n${stderr}`)
  }
  return stdout
}

/** Whether a command is there to be run. */
export const isInstalled = (command: string): boolean => spawnSync(command, ['--help']).error === undefined

/** Does something once a machine: its outcome is there afterwards. */
export const once = (outcome: string, work: () => void): string => {
  if (!existsSync(outcome)) work()
  return outcome
}

/** An empty folder for a client, and the shared one. */
export const openPlace = (scratch: string, name: string, document: string, given: object): Place => {
  const [folder, tools] = [join(scratch, name), join(scratch, 'tools')]
  rmSync(folder, { recursive: true, force: true })
  for (const each of [folder, tools]) mkdirSync(each, { recursive: true })
  const place = { folder, tools, document: join(folder, 'openapi.json'), input: join(folder, 'input.json') }
  writeFileSync(place.document, document)
  writeFileSync(place.input, JSON.stringify(given))
  return place
}

/** Copies a program of test/interop/walks to where it is run. */
export const copyWalk = (name: string, target: string): string => {
  copyFileSync(join(WALKS, name), target)
  return target
}
