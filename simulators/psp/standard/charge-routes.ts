import { z } from 'zod'
import type { Bank } from '../bank.ts'
import { type ApiServer, merchantOf, type Operation } from '../http/operation.ts'
import { flag, pageOf, parametersOf, periodOf, periodQuery } from '../http/paging.ts'
import { invalid, violation } from '../http/problems.ts'
import { newHexId } from '../identifiers.ts'
import { chargeBody, chargeChange, dueChargeBody, dueChargeChange, txidSchema } from './charge-schemas.ts'
import { createCharge, reviseCharge } from './charge-writes.ts'
import { type Charge, chargeView, getCharge, getChargeRevision, listCharges } from './charges.ts'
import type { ChargeKind } from './locations.ts'
import { pixView } from './pix-view.ts'
import { pixOfCharge } from './received-pix.ts'

const params = z.object({ txid: txidSchema })
const revisionQuery = z.object({ revisao: z.coerce.number().int().min(0).optional() })
const listQuery = z.object({
  ...periodQuery,
  cpf: z.string().max(11).optional(),
  cnpj: z.string().max(14).optional(),
  locationPresente: flag,
  status: z.string().max(40).optional(),
})

type ListQuery = z.infer<typeof listQuery>

const operationOf = (kind: ChargeKind, verb: 'put' | 'post' | 'patch' | 'get' | 'list'): { operation: Operation } => {
  const isRead = verb === 'get' || verb === 'list'
  const type = { cob: 'CobOperacaoInvalida', cobv: 'CobVOperacaoInvalida' }[kind]
  const queryType = { cob: 'CobConsultaInvalida', cobv: 'CobVConsultaInvalida' }[kind]
  const operation = { name: `${kind}.${verb}`, scope: `${kind}.${isRead ? 'read' : 'write'}` }
  return { operation: { ...operation, invalid: { type: isRead ? queryType : type, thing: kind } } }
}

/** A charge with what was paid for it. */
const completeView = (bank: Bank, charge: Charge): Record<string, unknown> => {
  const pix = pixOfCharge(bank, charge)
  return { ...chargeView(bank, charge), ...(pix.length === 0 ? {} : { pix: pix.map((one) => pixView(bank, one)) }) }
}

const listAnswer = (bank: Bank, merchantId: string, kind: ChargeKind, query: ListQuery): Record<string, unknown> => {
  const type = kind === 'cob' ? 'CobConsultaInvalida' : 'CobVConsultaInvalida'
  if (query.cpf !== undefined && query.cnpj !== undefined) {
    throw invalid(type, [violation('cpf', 'Ambos os parâmetros cpf e cnpj estão preenchidos.')])
  }
  const { cpf, cnpj, status, locationPresente: hasLocation } = query
  const page = pageOf(query, bank.profile)
  const period = periodOf(query, bank.profile, type)
  const { rows, total } = listCharges(bank, merchantId, kind, period, page, { cpf, cnpj, status, hasLocation })
  return { parametros: parametersOf(query, page, total), cobs: rows.map((charge) => completeView(bank, charge)) }
}

const readRoutes = (app: ApiServer, bank: Bank, kind: ChargeKind): void => {
  const one = bank.profile.basePath + bank.profile.resourcePath(`/${kind}/:txid`)
  const all = bank.profile.basePath + bank.profile.resourcePath(`/${kind}`)

  app.get(
    one,
    { config: operationOf(kind, 'get'), schema: { params, querystring: revisionQuery } },
    async (request) => {
      const { txid } = request.params
      const { revisao } = request.query
      const charge = getCharge(bank, merchantOf(request).id, kind, txid)
      return completeView(bank, revisao === undefined ? charge : getChargeRevision(bank, charge, revisao))
    },
  )

  app.get(all, { config: operationOf(kind, 'list'), schema: { querystring: listQuery } }, async (request) =>
    listAnswer(bank, merchantOf(request).id, kind, request.query),
  )
}

/** `PUT`, `PATCH` and `POST /cob`, `GET` of one and of a list. */
export const chargeRoutes = (app: ApiServer, bank: Bank): void => {
  const one = bank.profile.basePath + bank.profile.resourcePath('/cob/:txid')
  const all = bank.profile.basePath + bank.profile.resourcePath('/cob')

  app.put(one, { config: operationOf('cob', 'put'), schema: { params, body: chargeBody } }, async (request, reply) => {
    reply.code(201)
    return chargeView(bank, createCharge(bank, merchantOf(request), 'cob', request.params.txid, request.body))
  })

  app.post(all, { config: operationOf('cob', 'post'), schema: { body: chargeBody } }, async (request, reply) => {
    reply.code(201)
    return chargeView(bank, createCharge(bank, merchantOf(request), 'cob', newHexId(), request.body))
  })

  app.patch(one, { config: operationOf('cob', 'patch'), schema: { params, body: chargeChange } }, async (request) =>
    chargeView(bank, reviseCharge(bank, merchantOf(request), 'cob', request.params.txid, request.body)),
  )

  readRoutes(app, bank, 'cob')
}

/** `PUT` and `PATCH /cobv`, `GET` of one and of a list. */
export const dueChargeRoutes = (app: ApiServer, bank: Bank): void => {
  const one = bank.profile.basePath + bank.profile.resourcePath('/cobv/:txid')

  app.put(
    one,
    { config: operationOf('cobv', 'put'), schema: { params, body: dueChargeBody } },
    async (request, reply) => {
      reply.code(201)
      return chargeView(bank, createCharge(bank, merchantOf(request), 'cobv', request.params.txid, request.body))
    },
  )

  app.patch(one, { config: operationOf('cobv', 'patch'), schema: { params, body: dueChargeChange } }, async (request) =>
    chargeView(bank, reviseCharge(bank, merchantOf(request), 'cobv', request.params.txid, request.body)),
  )

  readRoutes(app, bank, 'cobv')
}
