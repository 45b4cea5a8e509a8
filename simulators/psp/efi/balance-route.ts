import { z } from 'zod'
import { centavos, toDecimal } from '../../../src/domain/money.ts'
import { balanceOf } from '../accounts.ts'
import type { Bank } from '../bank.ts'
import { type ApiServer, merchantOf } from '../http/operation.ts'
import { flag } from '../http/paging.ts'
import { blockedOf } from './infractions.ts'
import { efiOperation } from './operations.ts'

/** Efí's `GET /v2/gn/saldo`. */
export const balanceRoute = (app: ApiServer, bank: Bank): void => {
  app.get(
    '/v2/gn/saldo',
    {
      config: efiOperation('saldo', 'gn.balance.read', 'SaldoConsultaInvalida', 'saldo'),
      schema: { querystring: z.object({ bloqueios: flag }) },
    },
    async (request) => {
      const { id } = merchantOf(request)
      const balance = balanceOf(bank, id)
      const blocked = blockedOf(bank, id)
      const med = toDecimal(blocked)
      const saldo = toDecimal(centavos(Math.max(0, balance - blocked)))
      return request.query.bloqueios ? { saldo, bloqueios: { judicial: '0.00', med, total: med } } : { saldo }
    },
  )
}
