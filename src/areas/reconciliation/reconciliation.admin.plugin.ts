import multipart from '@fastify/multipart'
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { linkPages } from '../../http/pagination.ts'
import { actorOf } from '../../http/plugins/access.ts'
import { idParams } from '../../http/primitives.schemas.ts'
import { receiveUploadOf } from '../../http/uploads.ts'
import { approvalResponse } from '../approvals/approvals.schemas.ts'
import {
  STATEMENT_BYTES_MAX,
  statementForm,
  statementResponse,
  statementsQuery,
  statementsResponse,
} from './provider-statements.schemas.ts'
import {
  exceptionResponse,
  exceptionStory,
  exceptionsQuery,
  exceptionsResponse,
  reconcileBody,
  reconciliationDetail,
  reconciliationResponse,
  reconciliationsQuery,
  reconciliationsResponse,
  resolveExceptionBody,
} from './reconciliation.schemas.ts'
import type { ReconciliationService } from './reconciliation.service.ts'

const tags = ['Admin']

const FIELD_BYTES_MAX = 100
const FIELDS_MAX = 5

const limits = {
  fileSize: STATEMENT_BYTES_MAX,
  // One is taken. Of another it can be said where it should not be.
  files: 2,
  fields: FIELDS_MAX,
  fieldSize: FIELD_BYTES_MAX,
  fieldNameSize: FIELD_BYTES_MAX,
  parts: 1 + FIELDS_MAX,
  headerPairs: 20,
}

export const adminReconciliationPlugin: FastifyPluginAsyncZod<{ reconciliation: ReconciliationService }> = async (
  app,
  { reconciliation },
) => {
  await app.register(multipart, { limits, throwFileSizeLimit: true })

  app.get(
    '/reconciliations',
    {
      config: { access: ['admin:finance'] },
      schema: {
        operationId: 'listReconciliations',
        summary: 'List reconciliations',
        description: 'Days that were compared with what providers say of them, newest first.',
        tags,
        querystring: reconciliationsQuery,
        response: { 200: reconciliationsResponse },
      },
    },
    async (request, reply) => linkPages(request, reply, await reconciliation.list(request.query), { cursors: true }),
  )

  app.get(
    '/reconciliations/:id',
    {
      config: { access: ['admin:finance'], errors: ['reconciliation.not_found'] },
      schema: {
        operationId: 'getReconciliation',
        summary: 'Get a reconciliation',
        description:
          'One day at one provider, as it was compared last, and each time that it was compared: what came late corrects a day visibly.',
        tags,
        params: idParams,
        response: { 200: reconciliationDetail },
      },
    },
    async (request) => reconciliation.get(request.params.id),
  )

  app.get(
    '/provider-statements',
    {
      config: { access: ['admin:finance'] },
      schema: {
        operationId: 'listProviderStatements',
        summary: 'List statements that were handed in',
        description: 'Files that count, or counted, as a provider’s statement of a day, newest first.',
        tags,
        querystring: statementsQuery,
        response: { 200: statementsResponse },
      },
    },
    async (request, reply) =>
      linkPages(request, reply, await reconciliation.listStatements(request.query), { cursors: true }),
  )

  app.post(
    '/provider-statements',
    {
      config: {
        access: ['admin:finance'],
        errors: ['reconciliation.provider_unknown', 'reconciliation.day_not_over'],
      },
      schema: {
        operationId: 'handInProviderStatement',
        summary: 'Hand in a statement',
        description:
          'A file counts as the provider’s statement of a day, in place of its own list, and the day is compared with it. A file with faults is refused whole, with the numbers of its lines. The same file again answers 200 with the first.',
        tags,
        consumes: ['multipart/form-data'],
        body: statementForm,
        response: { 200: statementResponse, 201: statementResponse },
      },
    },
    async (request, reply) => {
      const { isRepeat, view } = await reconciliation.handInStatement(actorOf(request), receiveUploadOf(request))
      return reply.code(isRepeat ? 200 : 201).send(view)
    },
  )

  app.post(
    '/reconciliations',
    {
      config: { access: ['admin:finance'], errors: ['reconciliation.no_statement', 'reconciliation.day_not_over'] },
      schema: {
        operationId: 'runReconciliation',
        summary: 'Compare a day with its provider',
        description:
          'Every night yesterday is compared by itself, and each day that does not agree yet. This does it now, again where it was done; the same statement gives the same result.',
        tags,
        body: reconcileBody,
        response: { 202: reconciliationResponse },
      },
    },
    async (request, reply) => reply.code(202).send(await reconciliation.run(actorOf(request), request.body)),
  )

  app.get(
    '/reconciliation-exceptions',
    {
      config: { access: ['admin:finance'] },
      schema: {
        operationId: 'listReconciliationExceptions',
        summary: 'List exceptions of reconciliation',
        description: 'What providers and the books do not agree on, newest first. `status=open` is what waits.',
        tags,
        querystring: exceptionsQuery,
        response: { 200: exceptionsResponse },
      },
    },
    async (request, reply) =>
      linkPages(request, reply, await reconciliation.listExceptions(request.query), { cursors: true }),
  )

  app.get(
    '/reconciliation-exceptions/:id',
    {
      config: { access: ['admin:finance'], errors: ['reconciliation_exception.not_found'] },
      schema: {
        operationId: 'getReconciliationException',
        summary: 'Get an exception',
        description:
          'Both sides of it, each time that it was resolved with what was posted, and what went back to a payer.',
        tags,
        params: idParams,
        response: { 200: exceptionStory },
      },
    },
    async (request) => reconciliation.getException(request.params.id),
  )

  app.post(
    '/reconciliation-exceptions/:id/resolve',
    {
      config: {
        access: ['admin:finance'],
        errors: [
          'reconciliation_exception.not_found',
          'reconciliation_exception.not_open',
          'reconciliation_exception.no_seller',
          'reconciliation_exception.not_refundable',
          'reconciliation_exception.going_back',
          'reconciliation_exception.balance_insufficient',
        ],
      },
      schema: {
        operationId: 'resolveReconciliationException',
        summary: 'Resolve an exception',
        description:
          'By a posting of the difference, by giving it back to the payer, or by an explanation; nothing is edited. From the amount of the approval policy on it answers 202, and is resolved when another administrator approves it. It opens again when the facts change.',
        tags,
        params: idParams,
        body: resolveExceptionBody,
        response: { 200: exceptionResponse, 202: approvalResponse },
      },
    },
    async (request, reply) => {
      const { waits, view } = await reconciliation.resolve(actorOf(request), request.params.id, request.body)
      return reply.code(waits ? 202 : 200).send(view)
    },
  )
}
