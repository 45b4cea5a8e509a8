import multipart from '@fastify/multipart'
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { DOCUMENT_BYTES_MAX } from '../../domain/company-document.ts'
import { linkPages } from '../../http/pagination.ts'
import { actorOf } from '../../http/plugins/access.ts'
import { idParams } from '../../http/primitives.schemas.ts'
import { fileAnswer, sendFile } from '../../http/send-file.ts'
import { receiveFormOrJson } from '../../http/uploads.ts'
import {
  DEFENSE_FILES_MAX,
  DEFENSE_TEXT_MAX,
  defenseForm,
  disputeFileParams,
  disputeResponse,
  disputesResponse,
  listDisputesQuery,
} from './disputes.schemas.ts'
import type { DisputesService } from './disputes.service.ts'

const tags = ['Payments']

const FIELDS_MAX = 5
const FIELD_NAME_BYTES_MAX = 100
/** Of the longest characters of UTF-8. */
const BYTES_PER_CHARACTER = 4

const limits = {
  fileSize: DOCUMENT_BYTES_MAX,
  files: DEFENSE_FILES_MAX,
  fields: FIELDS_MAX,
  fieldSize: DEFENSE_TEXT_MAX * BYTES_PER_CHARACTER + 1,
  fieldNameSize: FIELD_NAME_BYTES_MAX,
  parts: DEFENSE_FILES_MAX + FIELDS_MAX,
  headerPairs: 20,
}

export const disputesPlugin: FastifyPluginAsyncZod<{ disputes: DisputesService }> = async (app, { disputes }) => {
  await app.register(multipart, { limits, throwFileSizeLimit: true })

  app.get(
    '',
    {
      config: { access: ['seller:viewer'], scope: 'payments:read' },
      schema: {
        operationId: 'listDisputes',
        summary: 'List disputes',
        description: 'Claims of payers on your payments, newest first.',
        tags,
        querystring: listDisputesQuery,
        response: { 200: disputesResponse },
      },
    },
    async (request, reply) =>
      linkPages(request, reply, await disputes.list(actorOf(request), request.query), { cursors: true }),
  )

  app.get(
    '/:id',
    {
      config: { access: ['seller:viewer'], scope: 'payments:read', errors: ['dispute.not_found'] },
      schema: {
        operationId: 'getDispute',
        summary: 'Get a dispute',
        description: 'One of your disputes, with its defence.',
        tags,
        params: idParams,
        response: { 200: disputeResponse },
      },
    },
    async (request) => disputes.get(actorOf(request), request.params.id),
  )

  app.post(
    '/:id/defense',
    {
      config: {
        access: ['seller:finance'],
        scope: 'payments:write',
        errors: ['dispute.not_found', 'dispute.not_open', 'dispute.defense_too_late', 'document.type_not_supported'],
      },
      schema: {
        operationId: 'defendDispute',
        summary: 'Answer a dispute',
        description:
          'Once, before `respondBy`: a text and, in a form, up to five files of 10 MiB each (PDF, JPEG or PNG, judged by their content). The provider gets them and decides.',
        tags,
        consumes: ['multipart/form-data', 'application/json'],
        params: idParams,
        body: defenseForm,
        response: { 200: disputeResponse },
      },
    },
    async (request) => disputes.defend(actorOf(request), request.params.id, receiveFormOrJson(request)),
  )

  app.get(
    '/:id/files/:fileId/content',
    {
      config: {
        access: ['seller:viewer', 'admin:risk', 'admin:support'],
        scope: 'payments:read',
        errors: ['dispute.not_found', 'dispute.file_not_found'],
      },
      schema: {
        operationId: 'downloadDisputeFile',
        summary: 'Download a file of a defence',
        description: 'The file itself, as it was sent.',
        tags,
        params: disputeFileParams,
        response: { 200: fileAnswer },
      },
    },
    async (request, reply) =>
      sendFile(reply, await disputes.openFile(actorOf(request), request.params.id, request.params.fileId)),
  )
}
