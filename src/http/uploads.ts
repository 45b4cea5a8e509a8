import { createHash } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { MultipartFile } from '@fastify/multipart'
import type { FastifyRequest } from 'fastify'
import { AppError, requestErrors, serverErrors } from '../errors.ts'
import type { ReceiveUpload, Upload, UploadedFile } from '../storage/uploads.ts'
import { findFault } from './plugins/security.ts'

const measure = () => {
  const hash = createHash('sha256')
  let sizeBytes = 0
  const through = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      hash.update(chunk)
      sizeBytes += chunk.length
      done(null, chunk)
    },
  })
  return { through, result: () => ({ sizeBytes, sha256: hash.digest('hex') }) }
}

const keep = async (part: MultipartFile, path: string): Promise<UploadedFile> => {
  const { through, result } = measure()
  await pipeline(part.file, through, createWriteStream(path, { mode: 0o600 }))
  if (part.file.truncated) throw serverErrors.payload_too_large()
  return { field: part.fieldname, fileName: part.filename, path, ...result() }
}

// What the security plugin refuses in every other body, which it cannot see in a stream.
const refuseBrokenTexts = (texts: Upload['texts']): void => {
  const errors = texts.flatMap(({ field, value }) => {
    const fault = findFault(value, [field])
    return fault ? [{ in: 'body' as const, ...fault }] : []
  })
  if (errors.length > 0) throw requestErrors.failed({ errors })
}

const malformed = () =>
  requestErrors.failed({
    errors: [{ in: 'body', path: '', code: 'malformed_form', message: 'The form is broken or ends too early.' }],
  })

const readForm = async (request: FastifyRequest, folder: string): Promise<Upload> => {
  const texts: { field: string; value: string }[] = []
  const files: UploadedFile[] = []
  for await (const part of request.parts()) {
    // A part without a name, which RFC 7578, 4.2 requires. The parser's types do not know of it.
    if (typeof part.fieldname !== 'string') throw malformed()
    if (part.type === 'file') files.push(await keep(part, join(folder, String(files.length))))
    else texts.push({ field: part.fieldname, value: String(part.value) })
  }
  refuseBrokenTexts(texts)
  return { texts, files }
}

// The parser's own complaints carry a status; what is left of its errors is about the bytes that the client sent.
const asRefusal = (error: unknown): unknown => {
  if (error instanceof AppError || !(error instanceof Error)) return error
  const code = 'code' in error ? String(error.code) : ''
  if (code === 'FST_MP_PREMATURE_CLOSE' || code === 'FST_PROTO_VIOLATION') return malformed()
  return code === '' || code === 'ERR_STREAM_PREMATURE_CLOSE' ? malformed() : error
}

/** The form of a request whose route takes multipart/form-data, within the limits that its plugin was given. */
export const receiveUploadOf =
  (request: FastifyRequest): ReceiveUpload =>
  async (work) => {
    const folder = await mkdtemp(join(tmpdir(), 'upload-'))
    try {
      const upload = await readForm(request, folder).catch((error: unknown) => {
        throw asRefusal(error)
      })
      return await work(upload)
    } finally {
      await rm(folder, { recursive: true, force: true })
    }
  }

const asUpload = (body: unknown): Upload => {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    throw requestErrors.failed({
      errors: [{ in: 'body', path: '', code: 'invalid_type', message: 'must be an object' }],
    })
  }
  const fields = Object.entries(body)
  const faults = fields.filter(([, value]) => typeof value !== 'string')
  if (faults.length > 0) {
    const errors = faults.map(([path]) => ({
      in: 'body' as const,
      path,
      code: 'invalid_type',
      message: 'must be a text',
    }))
    throw requestErrors.failed({ errors })
  }
  return { texts: fields.map(([field, value]) => ({ field, value: String(value) })), files: [] }
}

/** As receiveUploadOf, for a route that also takes its texts as the fields of a JSON object, without files. */
export const receiveFormOrJson = (request: FastifyRequest): ReceiveUpload =>
  request.isMultipart() ? receiveUploadOf(request) : async (work) => work(asUpload(request.body))
