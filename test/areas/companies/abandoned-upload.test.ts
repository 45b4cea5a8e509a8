import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../support/app.ts'
import { documentForm } from '../../support/company.ts'
import { createCompany, registerSeller } from '../../support/factories.ts'
import { until } from '../../support/until.ts'

let app: TestApp
let folder: string
const before = process.env.TMPDIR

beforeAll(async () => {
  app = await startTestApp()
  folder = await mkdtemp(join(tmpdir(), 'abandoned-'))
  process.env.TMPDIR = folder
})
afterAll(async () => {
  if (before === undefined) delete process.env.TMPDIR
  else process.env.TMPDIR = before
  await app.close()
  await rm(folder, { recursive: true, force: true })
})

test('a client that goes away in the middle of a file leaves nothing behind', async () => {
  const seller = await registerSeller(app)
  const { id } = await createCompany(app, seller)
  const socket = connect(Number(new URL(app.url).port), '127.0.0.1')
  socket.on('error', () => undefined)
  socket.write(
    [
      `POST /api/v1/companies/${id}/documents HTTP/1.1`,
      'Host: localhost',
      `Authorization: Bearer ${seller.token}`,
      'Content-Type: multipart/form-data; boundary=b',
      'Content-Length: 1000000',
      '',
      '--b',
      'Content-Disposition: form-data; name="type"',
      '',
      'selfie',
      '--b',
      'Content-Disposition: form-data; name="file"; filename="eu.pdf"',
      '',
      '%PDF-1.7 the beginning of a file',
    ].join('\r\n'),
  )
  await until('the upload begins', async () => (await readdir(folder)).length === 1)
  socket.destroy()
  await until('the upload is thrown away', async () => (await readdir(folder)).length === 0)
  expect((await app.api.get(`companies/${id}`, { token: seller.token })).body.documents).toEqual([])
})

test('an upload that was answered leaves nothing in the temporary folder either', async () => {
  const seller = await registerSeller(app)
  const { id } = await createCompany(app, seller)
  const send = (body: FormData) => app.api.post(`companies/${id}/documents`, { token: seller.token, body })
  expect((await send(documentForm())).status).toBe(201)
  expect((await send(documentForm([{ bytes: Buffer.from('text') }]))).status).toBe(415)
  expect(await readdir(folder)).toEqual([])
})
