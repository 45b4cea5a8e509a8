import { join, resolve } from 'node:path'
import { expect, test } from 'vitest'
import { loadConfig } from '../../src/config.ts'

const BASE = {
  NODE_ENV: 'test',
  DATA_DIR: '/tmp/some-data',
  JWT_SECRET: 'x'.repeat(32),
  ENCRYPTION_KEY: 'x'.repeat(32),
}
const S3 = {
  DOCUMENT_STORAGE: 's3',
  S3_BUCKET: 'documents',
  S3_REGION: 'sa-east-1',
  S3_ACCESS_KEY_ID: 'AKIATEST',
  S3_SECRET_ACCESS_KEY: 'secret',
}

test('documents lie in the data folder unless something else is said', () => {
  const folder = join(resolve('/tmp/some-data'), 'documents')
  expect(loadConfig(BASE).documentStorage).toEqual({ kind: 'local', folder })
})

test('a whole S3 configuration is taken, with or without an endpoint', () => {
  const told = {
    kind: 's3',
    bucket: 'documents',
    region: 'sa-east-1',
    accessKeyId: 'AKIATEST',
    secretAccessKey: 'secret',
  }
  expect(loadConfig({ ...BASE, ...S3 }).documentStorage).toEqual({ ...told, endpoint: undefined })
  const endpoint = 'http://minio:9000'
  expect(loadConfig({ ...BASE, ...S3, S3_ENDPOINT: endpoint }).documentStorage).toEqual({ ...told, endpoint })
})

test.each(['S3_BUCKET', 'S3_REGION', 'S3_ACCESS_KEY_ID', 'S3_SECRET_ACCESS_KEY'])(
  'half a configuration names %s',
  (name) => {
    expect(() => loadConfig({ ...BASE, ...S3, [name]: '' })).toThrow(`${name}: must be set when DOCUMENT_STORAGE is s3`)
  },
)

test('S3 variables without the choice of S3 are a mistake that is named', () => {
  expect(() => loadConfig({ ...BASE, S3_BUCKET: 'documents', S3_ENDPOINT: 'http://minio:9000' })).toThrow(
    /S3_BUCKET: needs DOCUMENT_STORAGE to be s3\n.*S3_ENDPOINT: needs DOCUMENT_STORAGE to be s3/,
  )
})

test.each([{ DOCUMENT_STORAGE: 'ftp' }, { ...S3, S3_ENDPOINT: 'minio:9000' }, { ...S3, S3_BUCKET: 'x' }])(
  '%j is refused',
  (faulty) => {
    expect(() => loadConfig({ ...BASE, ...faulty })).toThrow('The configuration has faults')
  },
)
