import { z } from 'zod'
import { fromDecimal } from '../../../src/domain/money.ts'
import { balanceOf, bookMovements, changeTerms, termsChange, termsOf } from '../accounts.ts'
import type { Bank } from '../bank.ts'
import type { Merchant } from '../certificates/folder.ts'
import { blockedOf } from '../efi/infractions.ts'
import { about, type ControlServer, merchantBy } from './operation.ts'
import { signed } from './statement.ts'

const params = z.object({ id: z.string().max(60) })
const adjustBody = z.strictObject({ amount: z.string().regex(/^-?\d{1,10}\.\d{2}$/) })

const merchantView = (bank: Bank, { id, name, cnpj, keys, clientId }: Merchant): Record<string, unknown> => ({
  ...{ id, name, cnpj, keys, clientId },
  ...termsOf(bank, id),
  balance: signed(balanceOf(bank, id)),
  blocked: signed(blockedOf(bank, id)),
})

/** The accounts at the PSP. */
export const merchantControls = (app: ControlServer, bank: Bank): void => {
  app.get('/control/merchants', about('the accounts, their terms and balances'), async () => ({
    merchants: bank.merchants.map((merchant) => merchantView(bank, merchant)),
  }))

  app.patch(
    '/control/merchants/:id',
    {
      ...about('changes what a merchant may and pays: {scopes?, receivedFee?, payoutFee?}'),
      schema: { params, body: termsChange },
    },
    async (request) => {
      const merchant = merchantBy(bank, request.params.id)
      changeTerms(bank, merchant.id, request.body)
      return merchantView(bank, merchant)
    },
  )

  app.post(
    '/control/merchants/:id/balance',
    {
      ...about('puts money into an account, or takes it: {amount: "100.00" | "-5.00"}'),
      schema: { params, body: adjustBody },
    },
    async (request) => {
      const merchant = merchantBy(bank, request.params.id)
      const { amount } = request.body
      const value = fromDecimal(amount.replace('-', '')) * (amount.startsWith('-') ? -1 : 1)
      bookMovements(bank, { merchantId: merchant.id, kind: 'AJ', amount: value, at: bank.clock.now() })
      return merchantView(bank, merchant)
    },
  )
}
