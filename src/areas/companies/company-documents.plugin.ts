import multipart from '@fastify/multipart'
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { DOCUMENT_BYTES_MAX, DOCUMENTS_PER_REQUEST_MAX } from '../../domain/company-document.ts'
import { actorOf } from '../../http/plugins/access.ts'
import { idempotencyHeaders, idempotencyOf } from '../../http/plugins/idempotency.ts'
import { idParams } from '../../http/primitives.schemas.ts'
import { fileAnswer, sendFile } from '../../http/send-file.ts'
import { receiveUploadOf } from '../../http/uploads.ts'
import {
  documentParams,
  documentsForm,
  documentsResponse,
  documentView,
  replacementForm,
} from './company-documents.schemas.ts'
import type { CompanyDocumentsService } from './company-documents.service.ts'

type Options = { companyDocuments: CompanyDocumentsService }

const tags = ['Companies']

const FIELD_BYTES_MAX = 100
const FIELDS_MAX = 20

const limits = {
  fileSize: DOCUMENT_BYTES_MAX,
  files: DOCUMENTS_PER_REQUEST_MAX,
  fields: FIELDS_MAX,
  fieldSize: FIELD_BYTES_MAX,
  fieldNameSize: FIELD_BYTES_MAX,
  parts: DOCUMENTS_PER_REQUEST_MAX + FIELDS_MAX,
  headerPairs: FIELDS_MAX,
}

const UPLOAD_ERRORS = [
  'document.company_closed',
  'document.too_many',
  'document.quota_reached',
  'document.type_not_supported',
] as const

/** The documents of a seller's companies. */
export const companyDocumentsPlugin: FastifyPluginAsyncZod<Options> = async (app, { companyDocuments }) => {
  await app.register(multipart, { limits, throwFileSizeLimit: true })

  app.post(
    '/:id/documents',
    {
      config: { access: ['seller:owner'], scope: 'company:write', errors: ['company.not_found', ...UPLOAD_ERRORS] },
      schema: {
        operationId: 'sendDocuments',
        summary: 'Send documents',
        description:
          'Up to 10 files of 10 MiB each: PDF, JPEG or PNG, judged by their content. The first `type` belongs to the first `file`, and so on. Taken while the company is a draft, awaits approval, was rejected or was sent back for changes.',
        tags,
        consumes: ['multipart/form-data'],
        params: idParams,
        headers: idempotencyHeaders,
        body: documentsForm,
        response: { 201: documentsResponse },
      },
    },
    async (request, reply) =>
      reply
        .code(201)
        .send(
          await companyDocuments.add(
            actorOf(request),
            request.params.id,
            receiveUploadOf(request),
            idempotencyOf(request),
          ),
        ),
  )

  app.put(
    '/:id/documents/:documentId',
    {
      config: {
        access: ['seller:owner'],
        scope: 'company:write',
        errors: ['company.not_found', 'document.not_found', 'document.superseded', ...UPLOAD_ERRORS],
      },
      schema: {
        operationId: 'replaceDocument',
        summary: 'Replace a document',
        description:
          'The answer is a new document with an id of its own, pending review; the old one is kept as `superseded`. Also taken while the company is approved, which it stays.',
        tags,
        consumes: ['multipart/form-data'],
        params: documentParams,
        body: replacementForm,
        response: { 200: documentView },
      },
    },
    async (request) =>
      companyDocuments.replace(
        actorOf(request),
        request.params.id,
        request.params.documentId,
        receiveUploadOf(request),
      ),
  )

  app.get(
    '/:id/documents/:documentId/content',
    {
      config: {
        access: ['seller:viewer', 'admin:risk', 'admin:support'],
        scope: 'company:read',
        errors: ['company.not_found', 'document.not_found'],
      },
      schema: {
        operationId: 'downloadDocument',
        summary: 'Download a document',
        description: 'The file itself, also of a superseded document.',
        tags,
        params: documentParams,
        response: { 200: fileAnswer },
      },
    },
    async (request, reply) =>
      sendFile(reply, await companyDocuments.open(actorOf(request), request.params.id, request.params.documentId)),
  )
}
