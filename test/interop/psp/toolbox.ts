import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)

const HERE = import.meta.dirname
const SCRATCH = join(HERE, '..', '..', '..', 'node_modules', '.cache', 'interop-psp')
const NODE_CLIENT = 'sdk-node-apis-efi@1.4.0'
const INSTALL_TIMEOUT_MS = 300_000

/** Where the clients that others wrote are installed, as their registries have them. */
export type Toolbox = { folder: string; python: string }

const install = async (folder: string): Promise<void> => {
  const options = { timeout: INSTALL_TIMEOUT_MS, maxBuffer: 64 * 1024 * 1024 }
  await rm(folder, { recursive: true, force: true })
  await mkdir(folder, { recursive: true })
  await run('python3', ['-m', 'venv', join(folder, 'venv')], options)
  const pip = ['-m', 'pip', 'install', '--quiet', '--requirement', join(HERE, 'requirements.txt')]
  await run(join(folder, 'venv', 'bin', 'python'), pip, options)
  await writeFile(join(folder, 'package.json'), '{"private": true}\n')
  const npm = ['install', '--no-save', '--no-audit', '--no-fund', '--ignore-scripts', '--prefix', folder, NODE_CLIENT]
  await run('npm', npm, options)
}

/**
 * Installs the clients into a scratch folder, once for each set of versions. Throws where Python or a registry is out of
 * reach.
 */
export const openToolbox = async (): Promise<Toolbox> => {
  const wanted = `${await readFile(join(HERE, 'requirements.txt'), 'utf8')}${NODE_CLIENT}\n`
  const stamp = join(SCRATCH, 'installed.txt')
  const isInstalled = existsSync(stamp) && (await readFile(stamp, 'utf8')) === wanted
  if (!isInstalled) {
    await install(SCRATCH)
    await writeFile(stamp, wanted)
  }
  return { folder: SCRATCH, python: join(SCRATCH, 'venv', 'bin', 'python') }
}
