import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { z } from 'zod'

const ROOT = join(import.meta.dirname, '..', '..', '..')

const descriptionSchema = z.object({
  apiPort: z.number(),
  publicPort: z.number(),
  controlUrl: z.string(),
  environments: z.array(z.record(z.string(), z.string())).min(1),
})

/** A simulator in a process of its own, and what it says of itself. */
export type PspProcess = z.infer<typeof descriptionSchema> & {
  child: ChildProcess
  /** Ends it as a crash would. */
  kill: () => Promise<void>
  /** Ends it as Ctrl-C would. Answers its exit code. */
  stop: () => Promise<number | null>
}

const ended = async (child: ChildProcess): Promise<number | null> => {
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
  return child.exitCode
}

/** Starts `npm run psp` as a process of its own and waits until it listens. */
export const startPspProcess = async (args: readonly string[]): Promise<PspProcess> => {
  const { PATH = '' } = process.env
  const script = join(ROOT, 'simulators/psp/psp.ts')
  const child = spawn(process.execPath, [script, '--json', ...args], { cwd: ROOT, env: { PATH } })
  const errors: string[] = []
  child.stderr.on('data', (chunk: Buffer) => errors.push(chunk.toString()))
  const line = await new Promise<string>((resolve, reject) => {
    createInterface({ input: child.stdout }).once('line', resolve)
    child.once('exit', (code) => reject(new Error(`the simulator ended with ${code}: ${errors.join('')}`)))
  })
  const end = (signal: NodeJS.Signals): Promise<number | null> => {
    child.kill(signal)
    return ended(child)
  }
  return {
    ...descriptionSchema.parse(JSON.parse(line)),
    child,
    kill: async () => void (await end('SIGKILL')),
    stop: () => end('SIGTERM'),
  }
}
