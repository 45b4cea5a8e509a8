import QRCode from 'qrcode'
import { z } from 'zod'
import type { Bank } from '../bank.ts'
import { type ApiServer, merchantOf } from '../http/operation.ts'
import { flag, pageOf, parametersOf, periodOf, periodQuery } from '../http/paging.ts'
import { notFound } from '../http/problems.ts'
import { leaveLocation } from './charge-writes.ts'
import { copyPasteOf } from './charges.ts'
import { addressOf, createLocation, findLocation, type Location, listLocations, locationView } from './locations.ts'

const kind = z.enum(['cob', 'cobv'])
const params = z.object({ id: z.coerce.number().int().min(1) })
const body = z.strictObject({ tipoCob: kind })
const listQuery = z.object({ ...periodQuery, txIdPresente: flag, tipoCob: kind.optional() })

const getLocation = (bank: Bank, merchantId: string, id: number): Location => {
  const location = findLocation(bank, id)
  if (location?.merchant_id === merchantId) return location
  throw notFound('PayloadLocationNaoEncontrado', 'Location não encontrada para o id informado.')
}

const config = (name: string, scope: 'payloadlocation.read' | 'payloadlocation.write') => ({
  operation: {
    name: `loc.${name}`,
    scope,
    invalid: {
      type: scope === 'payloadlocation.read' ? 'PayloadLocationConsultaInvalida' : 'PayloadLocationOperacaoInvalida',
      thing: 'loc',
    },
  },
})

/** `POST`, `GET` and `DELETE` of `/loc`: addresses for charges that are made later, or moved. */
export const locationRoutes = (app: ApiServer, bank: Bank): void => {
  const path = bank.profile.basePath + bank.profile.resourcePath('/loc')

  app.post(path, { config: config('post', 'payloadlocation.write'), schema: { body } }, async (request, reply) => {
    reply.code(201)
    return locationView(bank, createLocation(bank, merchantOf(request).id, request.body.tipoCob, null))
  })

  app.get(
    path,
    { config: config('list', 'payloadlocation.read'), schema: { querystring: listQuery } },
    async (request) => {
      const { query } = request
      const page = pageOf(query, bank.profile)
      const period = periodOf(query, bank.profile, 'PayloadLocationConsultaInvalida')
      const by = { isTaken: query.txIdPresente, kind: query.tipoCob }
      const { rows, total } = listLocations(bank, merchantOf(request).id, period, page, by)
      return { parametros: parametersOf(query, page, total), loc: rows.map((row) => locationView(bank, row)) }
    },
  )

  app.get(`${path}/:id`, { config: config('get', 'payloadlocation.read'), schema: { params } }, async (request) =>
    locationView(bank, getLocation(bank, merchantOf(request).id, request.params.id)),
  )

  app.delete(
    `${path}/:id/txid`,
    { config: config('delete', 'payloadlocation.write'), schema: { params } },
    async (request) => {
      const location = getLocation(bank, merchantOf(request).id, request.params.id)
      leaveLocation(bank, location)
      return locationView(bank, { ...location, txid: null })
    },
  )
}

/** Efí's `GET /loc/{id}/qrcode`: the code as text and as a picture. */
export const locationImageRoute = (app: ApiServer, bank: Bank): void => {
  const path = `${bank.profile.basePath}${bank.profile.resourcePath('/loc')}/:id/qrcode`
  app.get(path, { config: config('qrcode', 'payloadlocation.read'), schema: { params } }, async (request) => {
    const { id } = merchantOf(request)
    const location = getLocation(bank, id, request.params.id)
    const qrcode = copyPasteOf(bank, id, location)
    const imagemQrcode = await QRCode.toDataURL(qrcode)
    return { qrcode, imagemQrcode, linkVisualizacao: `https://${addressOf(bank, location)}` }
  })
}
