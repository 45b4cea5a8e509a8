import { z } from 'zod'
import { isCalendarDate, saoPauloDate } from '../../../src/domain/calendar.ts'
import { centavos, negate, toDecimal } from '../../../src/domain/money.ts'
import type { Bank } from '../bank.ts'
import { isoOf } from '../clock.ts'
import { dayStatement, RECORD_FLAGS, statementCsv } from '../statement.ts'
import { about, type ControlServer, merchantBy } from './operation.ts'

const querystring = z.object({
  merchant: z.string().optional(),
  /** Today where nothing is said. */
  date: z.string().refine(isCalendarDate, 'not a date, YYYY-MM-DD').optional(),
  format: z.enum(['json', 'csv']).default('json'),
})

/** An amount that may be negative, in reais. */
export const signed = (amount: number): string =>
  amount < 0 ? `-${toDecimal(negate(centavos(amount)))}` : toDecimal(centavos(amount))

/** What the PSP knows of a day, whatever callbacks got lost. */
export const statementControls = (app: ControlServer, bank: Bank): void => {
  app.get(
    '/control/statement',
    { ...about('a day of an account: ?merchant=&date=&format=json|csv'), schema: { querystring } },
    async (request, reply) => {
      const { merchant, date = saoPauloDate(new Date(bank.clock.now())), format } = request.query
      const { id } = merchantBy(bank, merchant)
      if (format === 'csv') {
        return reply
          .type('text/csv; charset=utf-8')
          .send(statementCsv(bank, id, date, new Set(Object.values(RECORD_FLAGS))))
      }
      const { openingBalance, closingBalance, movements } = dayStatement(bank, id, date)
      return {
        merchant: id,
        date,
        openingBalance: signed(openingBalance),
        closingBalance: signed(closingBalance),
        movements: movements.map(({ kind, amount, at, e2e_id, txid, rtr_id, reference }) => ({
          ...{ kind, amount: signed(amount), at: isoOf(at), e2eId: e2e_id, txid, rtrId: rtr_id, reference },
        })),
      }
    },
  )
}
