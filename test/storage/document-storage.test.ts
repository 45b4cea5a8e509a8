import { randomBytes, randomUUID } from 'node:crypto'
import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { DocumentStorageConfig } from '../../src/config/document-storage.ts'
import { createDocumentStorage } from '../../src/storage/document-storage.ts'
import { startS3Server } from '../support/s3-server.ts'

const CREDENTIALS = { accessKeyId: 'AKIATEST', secretAccessKey: 'a/secret+key', region: 'sa-east-1' }

let folder: string
let s3: Awaited<ReturnType<typeof startS3Server>>

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'storage-'))
  s3 = await startS3Server(CREDENTIALS)
})
afterAll(async () => {
  await s3.close()
  await rm(folder, { recursive: true, force: true })
})

const s3Config = (changes = {}): DocumentStorageConfig => ({
  kind: 's3',
  bucket: 'documents',
  endpoint: s3.url,
  ...CREDENTIALS,
  ...changes,
})

const configs: Record<string, () => DocumentStorageConfig> = {
  local: () => ({ kind: 'local', folder: join(folder, 'kept') }),
  s3: () => s3Config(),
}

const newFile = async (sizeBytes: number) => {
  const path = join(folder, randomUUID())
  const bytes = randomBytes(sizeBytes)
  await writeFile(path, bytes)
  return { bytes, file: { path, contentType: 'application/pdf', sizeBytes } }
}

describe.each(Object.keys(configs))('%s', (kind) => {
  const storage = () => createDocumentStorage(configs[kind]?.() ?? s3Config())

  test.each([1, 200, 3 * 1024 * 1024, 10 * 1024 * 1024])('a file of %d bytes comes back as it was', async (size) => {
    const { bytes, file } = await newFile(size)
    const key = `${randomUUID()}/${randomUUID()}`
    await storage().put(key, file)
    expect((await buffer(await storage().open(key))).equals(bytes)).toBe(true)
  })

  test('the source stays where it was', async () => {
    const { file } = await newFile(10)
    await storage().put(`a/${randomUUID()}`, file)
    expect((await stat(file.path)).size).toBe(10)
  })

  test('a missing file is refused before a byte is read', async () => {
    await expect(storage().open(`a/${randomUUID()}`)).rejects.toThrow()
  })

  test('a removed file is gone, and removing it again is quiet', async () => {
    const { file } = await newFile(10)
    const key = `a/${randomUUID()}`
    await storage().put(key, file)
    await storage().remove(key)
    await storage().remove(key)
    await expect(storage().open(key)).rejects.toThrow()
  })

  test('no key leads out of the storage', async () => {
    const { file } = await newFile(10)
    await expect(storage().put('../outside', file)).rejects.toThrow()
    await expect(stat(join(folder, 'outside'))).rejects.toThrow()
  })
})

test('local: nobody but the owner may look into the folder', async () => {
  const { file } = await newFile(10)
  const place = join(folder, 'private')
  await createDocumentStorage({ kind: 'local', folder: place }).put('company/document', file)
  expect([(await stat(place)).mode & 0o077, (await stat(join(place, 'company'))).mode & 0o077]).toEqual([0, 0])
})

test('s3: objects lie in the bucket under their key, with their content type', async () => {
  const { bytes, file } = await newFile(10)
  await createDocumentStorage(s3Config()).put('company/document', file)
  expect(s3.objects.get('/documents/company/document')).toEqual({ bytes, contentType: 'application/pdf' })
})

test('s3: a wrong secret is refused, and nothing is stored', async () => {
  const { file } = await newFile(10)
  const storage = createDocumentStorage(s3Config({ secretAccessKey: 'another' }))
  await expect(storage.put('company/stolen', file)).rejects.toThrow()
  expect(s3.objects.has('/documents/company/stolen')).toBe(false)
})

test('s3: a service that fails twice is asked a third time', async () => {
  const { bytes, file } = await newFile(200)
  s3.state.failures = 2
  await createDocumentStorage(s3Config()).put('company/late', file)
  expect(s3.objects.get('/documents/company/late')?.bytes).toEqual(bytes)
})

test('s3: a service that stays broken is a 503, and nothing is stored', async () => {
  const { file } = await newFile(200)
  s3.state.failures = Number.POSITIVE_INFINITY
  try {
    const put = createDocumentStorage(s3Config()).put('company/broken', file)
    await expect(put).rejects.toMatchObject({ code: 'server.unavailable', status: 503 })
  } finally {
    s3.state.failures = 0
  }
  expect(s3.objects.has('/documents/company/broken')).toBe(false)
})

test('s3: nobody there is a 503', async () => {
  const { file } = await newFile(10)
  const storage = createDocumentStorage(s3Config({ endpoint: 'http://127.0.0.1:1' }))
  await expect(storage.put('company/document', file)).rejects.toMatchObject({ status: 503 })
})
