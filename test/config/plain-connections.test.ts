import { expect, test } from 'vitest'
import { plainConnections } from '../../src/config/plain-connections.ts'

test.each([
  ['DATABASE_URL', 'postgres://p:x@db.internal/platform'],
  ['DATABASE_URL', 'postgres://p:x@a:5432,b:5432/platform?sslmode=disable'],
  ['DATABASE_REPLICA_URL', 'postgres://p:x@10.0.0.7/platform'],
  ['SMTP_URL', 'smtp://mail.internal:25'],
  ['SMTP_URL', 'smtp://user:password@mail.internal?starttls=optional'],
  ['S3_ENDPOINT', 'http://minio.internal:9000'],
  ['OTEL_EXPORTER_OTLP_ENDPOINT', 'http://collector:4318'],
])('%s=%s speaks in clear', (name, value) => {
  expect(plainConnections({ [name]: value })).toEqual([name])
})

test('what goes by TLS, stays on this machine or is not set is not among them', () => {
  for (const given of [
    { DATABASE_URL: 'postgres://p:x@db.internal/platform?sslmode=verify-full', SMTP_URL: 'smtps://mail.internal' },
    { DATABASE_URL: 'postgres://p:x@a,b/platform?sslmode=require', SMTP_URL: 'smtp://user:password@mail.internal' },
    { DATABASE_URL: 'postgres://p:x@127.0.0.1/platform', S3_ENDPOINT: 'http://localhost:9000' },
    { DATABASE_URL: 'postgres:///platform?host=/var/run/postgresql', BREACHED_PASSWORDS_URL: 'none' },
  ])
    expect(plainConnections(given)).toEqual([])
})
