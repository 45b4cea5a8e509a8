import type { Readable } from 'node:stream'
import type { FastifyReply } from 'fastify'
import { z } from 'zod'
import { DOCUMENT_BYTES_MAX, type DocumentContentType } from '../domain/company-document.ts'
import { attachment } from './content-disposition.ts'

type SentFile = {
  file: { contentType: DocumentContentType; fileName: string; sizeBytes: number }
  content: Readable
}

/** Answers a file that somebody uploaded: to be saved, never shown by a browser, never kept by a cache. */
export const sendFile = (reply: FastifyReply, { file: { contentType, fileName, sizeBytes }, content }: SentFile) =>
  reply
    .headers({
      'content-type': contentType,
      'content-length': sizeBytes,
      'content-disposition': attachment(fileName),
      'x-content-type-options': 'nosniff',
      'cache-control': 'private, no-store',
    })
    .send(content)

const schema = z.any().meta({ type: 'string', format: 'binary', maxLength: DOCUMENT_BYTES_MAX })

/** How such an answer is documented. */
export const fileAnswer = {
  description: 'The file.',
  content: { 'application/pdf': { schema }, 'image/jpeg': { schema }, 'image/png': { schema } },
}
