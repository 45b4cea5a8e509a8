import { z } from 'zod'
import type { Bank } from '../bank.ts'
import { type ApiServer, merchantOf } from '../http/operation.ts'
import { pageOf, parametersOf, periodOf, periodQuery } from '../http/paging.ts'
import { defend, infractionView, listInfractions } from './infractions.ts'
import { efiOperation } from './operations.ts'

const defenceBody = z.strictObject({
  analise: z.enum(['aceito', 'rejeitado']),
  justificativa: z.string().min(1).max(1_000),
})

/** Efí's infractions: `GET /v2/gn/infracoes` and `POST …/{idInfracao}/defesa`. */
export const infractionRoutes = (app: ApiServer, bank: Bank): void => {
  const type = 'InfracoesConsultaInvalida'

  app.get(
    '/v2/gn/infracoes',
    {
      config: efiOperation('infracoes.list', 'gn.infractions.read', type, 'infracoes.query'),
      schema: { querystring: z.object(periodQuery) },
    },
    async (request) => {
      const { query } = request
      const page = pageOf(query, bank.profile)
      const period = periodOf(query, bank.profile, type)
      const { rows, total } = listInfractions(bank, merchantOf(request).id, period, page)
      return { parametros: parametersOf(query, page, total), infracoes: rows.map((row) => infractionView(bank, row)) }
    },
  )

  app.post(
    '/v2/gn/infracoes/:idInfracao/defesa',
    {
      config: efiOperation('infracoes.defesa', 'gn.infractions.write', type, 'infracoes'),
      schema: { params: z.object({ idInfracao: z.uuid() }), body: defenceBody },
    },
    async (request, reply) => {
      const { analise, justificativa } = request.body
      defend(bank, merchantOf(request).id, request.params.idInfracao, analise === 'aceito', justificativa)
      return reply.code(201).send()
    },
  )
}
