import { once } from 'node:events'
import { mkdir, open } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { Disk } from 'flydrive'
import { FSDriver } from 'flydrive/drivers/fs'
import type { DocumentStorage } from './storage.port.ts'

const OWNER_ONLY = 0o700

const flush = async (path: string): Promise<void> => {
  const handle = await open(path, 'r')
  await handle.sync().finally(() => handle.close())
}

/** Files in a folder of this machine, readable by its owner only. */
export const createLocalStorage = (folder: string): DocumentStorage => {
  const disk = new Disk(new FSDriver({ location: folder, visibility: 'private' }))
  return {
    async put(key, { path }) {
      const destination = join(folder, key)
      await mkdir(dirname(destination), { recursive: true, mode: OWNER_ONLY })
      await disk.copyFromFs(path, key)
      // The row that names the file is flushed by Postgres: the file must not be the one that a power cut loses.
      await flush(destination)
      await flush(dirname(destination))
    },
    async open(key) {
      const stream = await disk.getStream(key)
      await once(stream, 'open')
      return stream
    },
    remove: (key) => disk.delete(key),
  }
}
