import type { FastifyReply, FastifyRequest } from 'fastify'
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { jsonOrCsv } from '../../http/csv.ts'
import { languageOf } from '../../http/language.ts'
import { namedType } from '../../http/negotiation.ts'
import { OFX_TYPE, type OfxStatement, ofxContent, ofxStream } from '../../http/ofx.ts'
import { AS_CSV, pageOrCsv } from '../../http/page-or-csv.ts'
import { actorOf } from '../../http/plugins/access.ts'
import { idParams } from '../../http/primitives.schemas.ts'
import {
  adminTransactionsQuery,
  type TransactionView,
  transactionResponse,
  transactionsQuery,
  transactionsResponse,
} from './transactions.schemas.ts'
import type { TransactionsService } from './transactions.service.ts'

type Options = { transactions: TransactionsService }

const COLUMNS = [
  'id',
  'sellerId',
  'type',
  'bucket',
  'direction',
  'amount',
  'balanceAfter',
  'referenceType',
  'referenceId',
  'description',
  'createdAt',
  'paymentId',
  'externalReference',
  'method',
  'grossAmount',
  'feeAmount',
] as const satisfies readonly (keyof TransactionView)[]

const FILE = { fileName: 'transactions.csv', columns: COLUMNS }

const asksForOfx = (request: FastifyRequest, reply: FastifyReply): boolean =>
  namedType(request, reply, [OFX_TYPE, 'text/csv', 'application/json']) === OFX_TYPE

const asOfxFile = (reply: FastifyReply, statement: OfxStatement) => {
  void reply.type(OFX_TYPE).header('content-disposition', 'attachment; filename="statement.ofx"')
  return reply.send(ofxStream(statement)) as never
}

const asOfx =
  'Send `Accept: application/x-ofx` for the available balance of the period as a bank statement, oldest first.'
const inTwoForms = jsonOrCsv(transactionsResponse)
const inThreeForms = { ...inTwoForms, content: { ...inTwoForms.content, ...ofxContent } }

export const transactionsPlugin: FastifyPluginAsyncZod<Options> = async (app, { transactions }) => {
  app.get(
    '',
    {
      config: {
        access: ['seller:viewer'],
        scope: 'transactions:read',
        errors: ['transaction.statement_filtered'],
      },
      schema: {
        operationId: 'listTransactions',
        summary: 'List transactions',
        description: `The statement: one row per movement of a bucket, newest first. ${AS_CSV} ${asOfx}`,
        tags: ['Transactions'],
        querystring: transactionsQuery,
        response: { 200: inThreeForms },
      },
    },
    async (request, reply) => {
      const language = languageOf(request, reply)
      if (asksForOfx(request, reply)) {
        return asOfxFile(reply, await transactions.getStatement(actorOf(request), request.query, language))
      }
      return pageOrCsv(request, reply, {
        ...FILE,
        page: () => transactions.list(actorOf(request), request.query, language),
        rows: () => transactions.export(actorOf(request), request.query, language),
      })
    },
  )

  app.get(
    '/:id',
    {
      config: { access: ['seller:viewer'], scope: 'transactions:read', errors: ['transaction.not_found'] },
      schema: {
        operationId: 'getTransaction',
        summary: 'Get a transaction',
        description: 'One row of the statement.',
        tags: ['Transactions'],
        params: idParams,
        response: { 200: transactionResponse },
      },
    },
    async (request, reply) => transactions.get(actorOf(request), request.params.id, languageOf(request, reply)),
  )
}

export const adminTransactionsPlugin: FastifyPluginAsyncZod<Options> = async (app, { transactions }) => {
  app.get(
    '',
    {
      config: { access: ['admin:viewer'] },
      schema: {
        operationId: 'listAllTransactions',
        summary: 'List all transactions',
        description: `The statements of all sellers, newest first. ${AS_CSV}`,
        tags: ['Admin'],
        querystring: adminTransactionsQuery,
        response: { 200: inTwoForms },
      },
    },
    async (request, reply) =>
      pageOrCsv(request, reply, {
        ...FILE,
        page: () => transactions.listAll(request.query, languageOf(request, reply)),
        rows: () => transactions.exportAll(request.query, languageOf(request, reply)),
      }),
  )
}
