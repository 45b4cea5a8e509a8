import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { backUp, restore } from '../../src/db/embedded/backup.ts'

let parent: string
let taken: string

beforeAll(async () => {
  parent = await mkdtemp(join(tmpdir(), 'payment-platform-backup-'))
  taken = join(parent, 'taken')
  await mkdir(taken)
  await writeFile(join(taken, 'mine'), '')
})

afterAll(() => rm(parent, { recursive: true }))

// Nobody listens there: who is refused is refused before.
const url = 'postgres://127.0.0.1:1/none'

test('a backup goes to a folder that is new, and not to the one that it is of', async () => {
  await expect(backUp({ url, dataDir: parent, target: taken })).rejects.toThrow(
    `${taken} is not empty: name a new folder.`,
  )
  const within = join(parent, 'within')
  await expect(backUp({ url, dataDir: parent, target: within })).rejects.toThrow(
    `${within} is within ${parent}: name a folder elsewhere, best on another machine's disk.`,
  )
})

test('half a backup is none, and nothing is restored over what is there', async () => {
  const target = join(parent, 'new')
  await expect(restore(taken, target)).rejects.toThrow(`${taken} is no whole backup: it has no backup.json.`)
  const whole = join(parent, 'whole')
  await mkdir(whole)
  await writeFile(join(whole, 'backup.json'), '{"takenAt":"2026-11-23T03:00:00.000Z"}')
  await expect(restore(whole, taken)).rejects.toThrow(`${taken} is not empty: name a new folder.`)
  expect(await readdir(parent)).toEqual(['taken', 'whole'])
})
