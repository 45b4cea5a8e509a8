import { join } from 'node:path'
import { z } from 'zod'
import { httpUrl } from './value-types.ts'

const DOCUMENT_STORAGES = ['local', 's3'] as const

export const documentStorageVariables = {
  DOCUMENT_STORAGE: z.enum(DOCUMENT_STORAGES).default('local'),
  S3_BUCKET: z.string().min(3).max(63).optional(),
  S3_REGION: z.string().min(1).max(100).optional(),
  S3_ENDPOINT: httpUrl.optional(),
  S3_ACCESS_KEY_ID: z.string().min(1).max(200).optional(),
  S3_SECRET_ACCESS_KEY: z.string().min(1).max(200).optional(),
}

type Environment = Readonly<Record<string, string | undefined>>

type Variables = Readonly<z.output<z.ZodObject<typeof documentStorageVariables>>>

/** Where the documents of companies lie: a folder of this machine, or a bucket of an S3-compatible service. */
export type DocumentStorageConfig = Readonly<
  | { kind: 'local'; folder: string }
  | {
      kind: 's3'
      bucket: string
      region: string
      /** Absent: Amazon's own. */
      endpoint: string | undefined
      accessKeyId: string
      secretAccessKey: string
    }
>

const S3_REQUIRED = ['S3_BUCKET', 'S3_REGION', 'S3_ACCESS_KEY_ID', 'S3_SECRET_ACCESS_KEY'] as const

/** All or nothing: half a configuration would only fail at the first upload. */
export const documentStorageFaults = (environment: Environment): string[] => {
  if (environment.DOCUMENT_STORAGE === 's3') {
    const missing = S3_REQUIRED.filter((name) => environment[name] === undefined)
    return missing.map((name) => `${name}: must be set when DOCUMENT_STORAGE is s3`)
  }
  const idle = [...S3_REQUIRED, 'S3_ENDPOINT'].filter((name) => environment[name] !== undefined)
  return idle.map((name) => `${name}: needs DOCUMENT_STORAGE to be s3`)
}

export const documentStorageOf = (data: Variables, dataDir: string): DocumentStorageConfig => {
  if (data.DOCUMENT_STORAGE === 'local') return Object.freeze({ kind: 'local', folder: join(dataDir, 'documents') })
  return Object.freeze({
    kind: 's3',
    bucket: data.S3_BUCKET ?? '',
    region: data.S3_REGION ?? '',
    endpoint: data.S3_ENDPOINT,
    accessKeyId: data.S3_ACCESS_KEY_ID ?? '',
    secretAccessKey: data.S3_SECRET_ACCESS_KEY ?? '',
  })
}
