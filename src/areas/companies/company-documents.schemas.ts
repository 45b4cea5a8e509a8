import { z } from 'zod'
import {
  DOCUMENT_BYTES_MAX,
  DOCUMENT_STATUSES,
  DOCUMENT_TYPES,
  DOCUMENTS_PER_REQUEST_MAX,
} from '../../domain/company-document.ts'
import { fileFields } from '../../http/file-fields.schemas.ts'
import { idSchema, timestampView } from '../../http/primitives.schemas.ts'

export const documentTypeSchema = z.enum(DOCUMENT_TYPES).meta({
  description: 'What the document is.',
  examples: ['cnpj_card'],
})

export const documentView = z
  .object({
    id: idSchema.meta({ description: 'Identifier of the document.' }),
    companyId: idSchema.meta({ description: 'The company that it belongs to.' }),
    type: documentTypeSchema,
    ...fileFields('cartao-cnpj.pdf'),
    status: z.enum(DOCUMENT_STATUSES).meta({
      description: 'State of the review. Superseded: replaced by a newer one.',
      examples: ['pending'],
    }),
    rejectionReason: z
      .string()
      .max(500)
      .nullable()
      .meta({ description: 'Why it was rejected; else null.', examples: [null] }),
    createdAt: timestampView,
    updatedAt: timestampView,
  })
  .meta({ title: 'CompanyDocument', description: 'A document of a company.' })

export const documentsResponse = z
  .object({
    documents: z
      .array(documentView)
      .max(DOCUMENTS_PER_REQUEST_MAX)
      .meta({ description: 'The new documents, in the order in which they were sent.' }),
  })
  .meta({ title: 'CompanyDocuments', description: 'The documents that were sent.' })

export const documentParams = z.strictObject({
  id: idSchema.meta({ description: 'Identifier of the company.' }),
  documentId: idSchema.meta({ description: 'Identifier of the document.' }),
})

const fileProperty = {
  type: 'string',
  format: 'binary',
  maxLength: DOCUMENT_BYTES_MAX,
  description: 'A PDF, JPEG or PNG file of up to 10 MiB.',
}
const typeProperty = { type: 'string', enum: [...DOCUMENT_TYPES], description: 'What the document is.' }

// The parts are read as a stream by the handler, which also judges them: this only documents the form.
const form = (properties: Record<string, unknown>, required: string[]) =>
  z.any().meta({ type: 'object', additionalProperties: false, properties, required })

export const documentsForm = form(
  {
    type: {
      type: 'array',
      items: typeProperty,
      minItems: 1,
      maxItems: DOCUMENTS_PER_REQUEST_MAX,
      description: 'One type per file: the first type belongs to the first file, and so on.',
    },
    file: {
      type: 'array',
      items: fileProperty,
      minItems: 1,
      maxItems: DOCUMENTS_PER_REQUEST_MAX,
      description: 'The files.',
    },
  },
  ['type', 'file'],
)

export const replacementForm = form(
  {
    type: { ...typeProperty, description: 'What the document is; the type of the old one when absent.' },
    file: fileProperty,
  },
  ['file'],
)
