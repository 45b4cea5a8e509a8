import { z } from 'zod'
import { DOCUMENT_BYTES_MAX, DOCUMENT_CONTENT_TYPES } from '../domain/company-document.ts'
import { FILE_NAME_MAX } from '../storage/uploaded-documents.ts'

/** What answers say of a file that was sent and is kept. */
export const fileFields = (exampleName: string) => ({
  fileName: z
    .string()
    .max(FILE_NAME_MAX)
    .meta({ description: 'Name of the file as it was sent, made harmless.', examples: [exampleName] }),
  contentType: z
    .enum(DOCUMENT_CONTENT_TYPES)
    .meta({ description: 'Kind of the file, judged by its content.', examples: ['application/pdf'] }),
  size: z
    .number()
    .int()
    .min(1)
    .max(DOCUMENT_BYTES_MAX)
    .meta({ description: 'Size of the file in bytes.', examples: [48_211] }),
  sha256: z
    .string()
    .length(64)
    .meta({
      description: 'SHA-256 of the file, in hexadecimal.',
      examples: ['9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08'],
    }),
})
