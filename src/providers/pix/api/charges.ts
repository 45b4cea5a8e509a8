/** Immediate charges: `PUT`, `GET` and `PATCH /cob/{txid}`, and their list. */
import { z } from 'zod'
import type { Centavos } from '../../../domain/money.ts'
import type { Call, CallOptions } from './calls/call.ts'
import {
  CHARGE_FIELDS,
  type ChargeTexts,
  chargeCalls,
  chargeOf,
  chargeOperation,
  criacao,
  type Payer,
  payerBody,
  textsBody,
} from './charge-parts.ts'
import { amountSchema, amountText } from './forms/amounts.ts'
import { periodQuery } from './forms/instants.ts'
import { type Page, type PageOptions, type Period, pageQuery, pageSchema } from './forms/paging.ts'
import type { Outcome } from './outcome.ts'
import type { Profile } from './profiles.ts'
import type { Merchant } from './qr-code.ts'

export type ChargeInput = ChargeTexts & {
  amount: Centavos
  /** From its creation on the PSP's clock. */
  expiresInSeconds: number
  /** Our Pix key that is paid. */
  key: string
  payer?: Payer | undefined
}

/** What of a charge may be changed while it is active. */
export type ChargeChange = Partial<Omit<ChargeInput, 'key'>>

const chargeSchema = (merchant: Merchant) =>
  z
    .object({
      ...CHARGE_FIELDS,
      // Efí's own types have the seconds as a text.
      calendario: z.object({ criacao, expiracao: z.coerce.number().int().min(0) }),
      valor: z.object({ original: amountSchema }),
    })
    .transform((answer) => ({
      ...chargeOf(answer, merchant),
      amount: answer.valor.original,
      createdAt: answer.calendario.criacao,
      expiresInSeconds: answer.calendario.expiracao,
    }))

/** An immediate charge as the PSP keeps it. */
export type PixCharge = z.infer<ReturnType<typeof chargeSchema>>

const bodyOf = ({ amount, expiresInSeconds, payer, ...texts }: ChargeChange): Record<string, unknown> => ({
  ...(expiresInSeconds === undefined ? {} : { calendario: { expiracao: expiresInSeconds } }),
  ...(payer === undefined ? {} : { devedor: payerBody(payer) }),
  ...(amount === undefined ? {} : { valor: { original: amountText(amount) } }),
  ...textsBody(texts),
})

export type Charges = ReturnType<typeof createCharges>

export const createCharges = (call: Call, profile: Profile, merchant: Merchant) => {
  const charge = chargeSchema(merchant)
  const operation = chargeOperation('cob', profile, charge)
  const page = pageSchema('cobs', charge)

  return {
    ...chargeCalls<PixCharge, ChargeChange, ChargeInput>({ call, operation, bodyOf }),

    /** One page of the charges that were made in a period no longer than the PSP serves. */
    list: (
      period: Period,
      { page: number, pageSize, ...options }: PageOptions & CallOptions = {},
    ): Promise<Outcome<Page<PixCharge>>> =>
      call(
        {
          ...{ name: 'cob.list', capability: 'charges', method: 'GET', path: profile.pathOf('/cob') },
          query: { ...periodQuery(period), ...pageQuery({ page: number, pageSize }, profile) },
          isRepeatable: true,
          answer: page,
        },
        options,
      ),
  }
}
