import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'

const ROOT = join(import.meta.dirname, '..', '..')

/** Runs a script of ours as its npm script does, to its end. */
export const runScript = async (script: string, args: readonly string[], environment: Record<string, string>) => {
  const { PATH = '' } = process.env
  const child = spawn(process.execPath, [join(ROOT, script), ...args], { cwd: ROOT, env: { PATH, ...environment } })
  const output = { stdout: '', stderr: '' }
  for (const name of ['stdout', 'stderr'] as const) {
    child[name].on('data', (chunk: Buffer) => {
      output[name] += chunk.toString()
    })
  }
  const [code] = await once(child, 'close')
  return { code: code as number | null, ...output }
}
