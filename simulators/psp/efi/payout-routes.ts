import { z } from 'zod'
import { fromDecimal } from '../../../src/domain/money.ts'
import { isCnpj, isCpf } from '../../../src/domain/tax-id.ts'
import type { Bank } from '../bank.ts'
import type { Merchant } from '../certificates/folder.ts'
import { type ApiServer, merchantOf } from '../http/operation.ts'
import { flag, pageOf, parametersOf, periodOf, periodQuery } from '../http/paging.ts'
import { EfiRefusal } from '../http/problems.ts'
import { amountText } from '../standard/charge-schemas.ts'
import { efiOperation } from './operations.ts'
import { acceptedView, payoutView } from './payout-views.ts'
import { sendPayout } from './payout-writes.ts'
import { getPayout, getPayoutByE2eId, listPayouts } from './payouts.ts'

const idEnvio = z.string().regex(/^[a-zA-Z0-9]{1,35}$/, 'deve ter de 1 a 35 letras e dígitos')
const key = z.string().min(1).max(77)
const cpf = z.string().refine(isCpf, 'não é um CPF válido').optional()
const cnpj = z.string().refine(isCnpj, 'não é um CNPJ válido').optional()

const account = z.strictObject({
  nome: z.string().min(1).max(200),
  cpf,
  cnpj,
  codigoBanco: z.string().regex(/^\d{8}$/),
  agencia: z.string().regex(/^\d{1,4}$/),
  conta: z.string().regex(/^\d{1,20}$/),
  tipoConta: z.enum(['cacc', 'svgs']),
})

const body = z.strictObject({
  valor: amountText.refine((text) => Number(text) > 0, 'deve ser maior que zero'),
  pagador: z.strictObject({ chave: key, infoPagador: z.string().max(140).optional() }),
  favorecido: z.union([z.strictObject({ chave: key, cpf, cnpj }), z.strictObject({ contaBanco: account })]),
})

const listQuery = z.object({
  ...periodQuery,
  status: z.enum(['EM_PROCESSAMENTO', 'REALIZADO', 'NAO_REALIZADO']).optional(),
  devolucaoPresente: flag,
})

const judgeKey = ({ keys }: Merchant, chave: string): void => {
  if (keys.includes(chave)) return
  throw new EfiRefusal(400, 'chave_invalida', 'A chave informada não faz referência à conta Efí autenticada')
}

const config = (name: string, scope: string) => efiOperation(name, scope, 'PixEnvioOperacaoInvalida', 'envio')

/** Efí's `PUT /v3/gn/pix/{idEnvio}`. */
export const payoutRoute = (app: ApiServer, bank: Bank): void => {
  app.put(
    '/v3/gn/pix/:idEnvio',
    { config: config('pix.put', 'pix.send'), schema: { params: z.object({ idEnvio }), body } },
    async (request, reply) => {
      const merchant = merchantOf(request)
      const { valor, pagador, favorecido: destination } = request.body
      judgeKey(merchant, pagador.chave)
      const asked = { amount: fromDecimal(valor), key: pagador.chave, info: pagador.infoPagador, destination }
      const payout = sendPayout(bank, merchant.id, request.params.idEnvio, asked)
      reply.code(201)
      return acceptedView(payout)
    },
  )
}

/** Efí's `GET /v2/gn/pix/enviados`: by `idEnvio`, by end-to-end id, and by period. */
export const sentPixRoutes = (app: ApiServer, bank: Bank): void => {
  const path = '/v2/gn/pix/enviados'

  app.get(
    `${path}/id-envio/:idEnvio`,
    { config: config('enviados.id-envio', 'gn.pix.send.read'), schema: { params: z.object({ idEnvio }) } },
    async (request) => payoutView(bank, getPayout(bank, merchantOf(request).id, request.params.idEnvio)),
  )

  app.get(
    `${path}/:e2eId`,
    { config: config('enviados.get', 'gn.pix.send.read'), schema: { params: z.object({ e2eId: z.string().max(40) }) } },
    async (request) => payoutView(bank, getPayoutByE2eId(bank, merchantOf(request).id, request.params.e2eId)),
  )

  app.get(
    path,
    { config: config('enviados.list', 'gn.pix.send.read'), schema: { querystring: listQuery } },
    async (request) => {
      const { query } = request
      const page = pageOf(query, bank.profile)
      const period = periodOf(query, bank.profile, 'PixEnviadoConsultaInvalida')
      const by = { status: query.status, hasReturn: query.devolucaoPresente }
      const { rows, total } = listPayouts(bank, merchantOf(request).id, period, page, by)
      return { parametros: parametersOf(query, page, total), pix: rows.map((payout) => payoutView(bank, payout)) }
    },
  )
}
