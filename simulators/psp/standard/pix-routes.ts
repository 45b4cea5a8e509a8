import { z } from 'zod'
import { fromDecimal } from '../../../src/domain/money.ts'
import type { Bank } from '../bank.ts'
import { type ApiServer, merchantOf } from '../http/operation.ts'
import { flag, pageOf, parametersOf, periodOf, periodQuery } from '../http/paging.ts'
import { invalid, violation } from '../http/problems.ts'
import { amountText } from './charge-schemas.ts'
import { pixView } from './pix-view.ts'
import { getPix, listPix } from './received-pix.ts'
import { requestRefund } from './refund-writes.ts'
import { getRefund, refundView } from './refunds.ts'

const e2eid = z.string().regex(/^[a-zA-Z0-9]{32}$/, 'deve ter 32 letras e dígitos')
const txid = z
  .string()
  .regex(/^[a-zA-Z0-9]{1,35}$/)
  .optional()

const listQuery = z.object({
  ...periodQuery,
  txid,
  // Inter writes the name of this one filter in its own way.
  txId: txid,
  txIdPresente: flag,
  devolucaoPresente: flag,
  cpf: z.string().max(11).optional(),
  cnpj: z.string().max(14).optional(),
})

type ListQuery = z.infer<typeof listQuery>

const refundParams = z.object({
  e2eid,
  id: z.string().regex(/^[a-zA-Z0-9]{1,35}$/, 'deve ter de 1 a 35 letras e dígitos'),
})

const refundBody = z.strictObject({
  valor: amountText.refine((text) => Number(text) > 0, 'deve ser maior que zero'),
  natureza: z.enum(['ORIGINAL', 'RETIRADA']).optional(),
  descricao: z.string().max(140).optional(),
})

const listAnswer = (bank: Bank, merchantId: string, query: ListQuery): Record<string, unknown> => {
  if (query.cpf !== undefined && query.cnpj !== undefined) {
    throw invalid('PixConsultaInvalida', [violation('cpf', 'Ambos os parâmetros cpf e cnpj estão preenchidos.')])
  }
  const page = pageOf(query, bank.profile)
  const { rows, total } = listPix(bank, merchantId, periodOf(query, bank.profile, 'PixConsultaInvalida'), page, {
    txid: query.txid ?? query.txId,
    hasTxid: query.txIdPresente,
    hasRefund: query.devolucaoPresente,
    document: query.cpf ?? query.cnpj,
  })
  return { parametros: parametersOf(query, page, total), pix: rows.map((pix) => pixView(bank, pix)) }
}

/** `GET /pix` of one and of a list: what was received. */
export const pixRoutes = (app: ApiServer, bank: Bank): void => {
  const path = bank.profile.basePath + bank.profile.resourcePath('/pix')
  const type = { type: 'PixConsultaInvalida', thing: 'pix' }

  app.get(
    `${path}/:e2eid`,
    {
      config: { operation: { name: 'pix.get', scope: 'pix.read', invalid: type } },
      schema: { params: z.object({ e2eid }) },
    },
    async (request) => pixView(bank, getPix(bank, merchantOf(request).id, request.params.e2eid)),
  )

  app.get(
    path,
    {
      config: { operation: { name: 'pix.list', scope: 'pix.read', invalid: type } },
      schema: { querystring: listQuery },
    },
    async (request) => listAnswer(bank, merchantOf(request).id, request.query),
  )
}

/** `PUT` and `GET /pix/{e2eid}/devolucao/{id}`. */
export const refundRoutes = (app: ApiServer, bank: Bank): void => {
  const path = `${bank.profile.basePath}${bank.profile.resourcePath('/pix')}/:e2eid/devolucao/:id`
  const type = { type: 'PixDevolucaoInvalida', thing: 'devolucao' }

  app.put(
    path,
    {
      config: { operation: { name: 'devolucao.put', scope: 'pix.write', invalid: type } },
      schema: { params: refundParams, body: refundBody },
    },
    async (request, reply) => {
      reply.code(201)
      const { e2eid: pixId, id } = request.params
      const { valor, natureza: nature, descricao: description } = request.body
      const asked = { amount: fromDecimal(valor), nature, description }
      return refundView(requestRefund(bank, merchantOf(request).id, pixId, id, asked))
    },
  )

  app.get(
    path,
    {
      config: { operation: { name: 'devolucao.get', scope: 'pix.read', invalid: type } },
      schema: { params: refundParams },
    },
    async (request) => refundView(getRefund(bank, merchantOf(request).id, request.params.e2eid, request.params.id)),
  )
}
