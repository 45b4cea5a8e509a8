import { Disk } from 'flydrive'
import type { DocumentStorageConfig } from '../config/document-storage.ts'
import { serverErrors } from '../errors.ts'
import type { DocumentStorage, StoredFile } from './storage.port.ts'

const CONNECT_TIMEOUT_MS = 3_000
const REQUEST_TIMEOUT_MS = 15_000
const ATTEMPTS_MAX = 3

const RETRY_AFTER_SECONDS = 5

const SILENT = { trace() {}, debug() {}, info() {}, warn() {}, error() {} }

type S3Config = Extract<DocumentStorageConfig, { kind: 's3' }>

// Loaded when it is needed: most installations never pay for the client's start.
const openDisk = async ({ bucket, region, endpoint, accessKeyId, secretAccessKey }: S3Config): Promise<Disk> => {
  const { S3Driver } = await import('flydrive/drivers/s3')
  const driver = new S3Driver({
    bucket,
    region,
    credentials: { accessKeyId, secretAccessKey },
    visibility: 'private',
    // Buckets without ACLs are the default at Amazon and the only kind elsewhere; the bucket itself must be private.
    supportsACL: false,
    // Services other than Amazon's often have no host name per bucket and know only its older checksums.
    ...(endpoint === undefined ? {} : { endpoint, forcePathStyle: true }),
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    maxAttempts: ATTEMPTS_MAX,
    // It would write to the console what the thrown error says anyway.
    logger: SILENT,
    requestHandler: { connectionTimeout: CONNECT_TIMEOUT_MS, requestTimeout: REQUEST_TIMEOUT_MS },
  })
  return new Disk(driver)
}

const statusOf = (error: unknown): number | undefined => {
  const cause = error instanceof Error ? error.cause : undefined
  if (typeof cause !== 'object' || cause === null || !('$metadata' in cause)) return undefined
  return (cause.$metadata as { httpStatusCode?: number }).httpStatusCode
}

// No answer at all, or one that says that the service is at fault.
const isPassing = (error: unknown): boolean => (statusOf(error) ?? 500) >= 500

const unavailable = (cause: unknown) => {
  const refusal = serverErrors.unavailable({ headers: { 'retry-after': String(RETRY_AFTER_SECONDS) } })
  refusal.cause = cause
  return refusal
}

// The client repeats what it holds in memory. A file is read anew for each attempt instead.
const upload = async (disk: Disk, key: string, { path, contentType, sizeBytes }: StoredFile): Promise<void> => {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await disk.copyFromFs(path, key, { contentType, contentLength: sizeBytes })
    } catch (error) {
      if (!isPassing(error)) throw error
      if (attempt === ATTEMPTS_MAX) throw unavailable(error)
    }
  }
}

/** Objects in a bucket of an S3-compatible service. Throws server.unavailable while the service takes no files. */
export const createS3Storage = (config: S3Config): DocumentStorage => {
  let opened: Promise<Disk> | undefined
  const disk = (): Promise<Disk> => {
    opened ??= openDisk(config)
    return opened
  }
  return {
    async put(key, file) {
      await upload(await disk(), key, file)
    },
    async open(key) {
      return (await disk()).getStream(key)
    },
    async remove(key) {
      await (await disk()).delete(key)
    },
  }
}
