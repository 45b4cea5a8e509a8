import type { FastifyReply, FastifyRequest } from 'fastify'
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { csvStream, jsonOrCsv, prefersCsv } from '../../http/csv.ts'
import { namedType } from '../../http/negotiation.ts'
import { OFX_TYPE, type OfxStatement, ofxContent, ofxStream } from '../../http/ofx.ts'
import { linkPages } from '../../http/pagination.ts'
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
] as const satisfies readonly (keyof TransactionView)[]

type List = Awaited<ReturnType<TransactionsService['list']>>

type Rows = () => AsyncIterable<TransactionView[]>

const asCsvFile = (reply: FastifyReply, rows: Rows) => {
  void reply.type('text/csv; charset=utf-8').header('content-disposition', 'attachment; filename="transactions.csv"')
  return reply.send(csvStream(COLUMNS, rows())) as never
}

// One resource in two forms: a page as JSON, or the whole selection as a CSV file.
const negotiated = async (
  request: FastifyRequest & Parameters<typeof linkPages>[0],
  reply: FastifyReply,
  forms: { page: () => Promise<List>; rows: Rows },
) =>
  prefersCsv(request, reply)
    ? asCsvFile(reply, forms.rows)
    : linkPages(request, reply, await forms.page(), { cursors: true })

const asksForOfx = (request: FastifyRequest, reply: FastifyReply): boolean =>
  namedType(request, reply, [OFX_TYPE, 'text/csv', 'application/json']) === OFX_TYPE

const asOfxFile = (reply: FastifyReply, statement: OfxStatement) => {
  void reply.type(OFX_TYPE).header('content-disposition', 'attachment; filename="statement.ofx"')
  return reply.send(ofxStream(statement)) as never
}

const asCsv = 'Send `Accept: text/csv` for the whole selection as a file, whatever its size.'
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
        description: `The statement: one row per movement of a bucket, newest first. ${asCsv} ${asOfx}`,
        tags: ['Transactions'],
        querystring: transactionsQuery,
        response: { 200: inThreeForms },
      },
    },
    async (request, reply) => {
      if (asksForOfx(request, reply)) {
        return asOfxFile(reply, await transactions.getStatement(actorOf(request), request.query))
      }
      return negotiated(request, reply, {
        page: () => transactions.list(actorOf(request), request.query),
        rows: () => transactions.export(actorOf(request), request.query),
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
    async (request) => transactions.get(actorOf(request), request.params.id),
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
        description: `The statements of all sellers, newest first. ${asCsv}`,
        tags: ['Admin'],
        querystring: adminTransactionsQuery,
        response: { 200: inTwoForms },
      },
    },
    async (request, reply) =>
      negotiated(request, reply, {
        page: () => transactions.listAll(request.query),
        rows: () => transactions.exportAll(request.query),
      }),
  )
}
