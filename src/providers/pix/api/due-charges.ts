/** Charges with a due date: `PUT`, `GET` and `PATCH /cobv/{txid}`. */
import { z } from 'zod'
import type { LocalDate } from '../../../domain/calendar.ts'
import type { Call } from './calls/call.ts'
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
import { type DueValue, dueValueBody } from './due-value.ts'
import { amountSchema } from './forms/amounts.ts'
import { orNull } from './forms/answers.ts'
import type { Profile } from './profiles.ts'
import type { Merchant } from './qr-code.ts'

/** `zipCode` without its mask. The standard asks for no address; some PSPs show it to payers. */
export type PayerWithAddress = Payer & {
  address?: { street: string; city: string; state: string; zipCode: string } | undefined
  email?: string | undefined
}

export type DueChargeInput = ChargeTexts & {
  value: DueValue
  dueDate: LocalDate
  /** How many days after the due date it can still be paid. */
  payableDaysAfterDue: number
  key: string
  payer: PayerWithAddress
}

/**
 * What of a charge may be changed while it is active. A new value replaces all of the one before; the standard has no
 * change of the days alone, without the due date.
 */
export type DueChargeChange = Partial<Pick<DueChargeInput, 'value' | 'payer' | 'message' | 'details'>> &
  ({ dueDate: LocalDate; payableDaysAfterDue?: number } | { dueDate?: undefined; payableDaysAfterDue?: undefined })

const dueChargeSchema = (merchant: Merchant) =>
  z
    .object({
      ...CHARGE_FIELDS,
      calendario: z.object({
        criacao,
        dataDeVencimento: z.iso.date(),
        validadeAposVencimento: orNull(z.coerce.number().int().min(0)),
      }),
      valor: z.object({ original: amountSchema }),
    })
    .transform((answer) => ({
      ...chargeOf(answer, merchant),
      /** Before fine, interest, rebate and discount: what was paid is in `received`. */
      amount: answer.valor.original,
      createdAt: answer.calendario.criacao,
      dueDate: answer.calendario.dataDeVencimento,
      payableDaysAfterDue: answer.calendario.validadeAposVencimento,
    }))

/** A charge with a due date as the PSP keeps it. */
export type DuePixCharge = z.infer<ReturnType<typeof dueChargeSchema>>

const payerWithAddressBody = (payer: PayerWithAddress): Record<string, string> => ({
  ...payerBody(payer),
  ...(payer.address && {
    logradouro: payer.address.street,
    cidade: payer.address.city,
    uf: payer.address.state,
    cep: payer.address.zipCode,
  }),
  ...(payer.email === undefined ? {} : { email: payer.email }),
})

const calendarBody = ({ dueDate, payableDaysAfterDue }: DueChargeChange): Record<string, unknown> => {
  if (dueDate === undefined) return {}
  const days = payableDaysAfterDue === undefined ? {} : { validadeAposVencimento: payableDaysAfterDue }
  return { calendario: { dataDeVencimento: dueDate, ...days } }
}

const bodyOf = (input: DueChargeChange): Record<string, unknown> => ({
  ...calendarBody(input),
  ...(input.payer === undefined ? {} : { devedor: payerWithAddressBody(input.payer) }),
  ...(input.value === undefined ? {} : { valor: dueValueBody(input.value) }),
  ...textsBody(input),
})

export type DueCharges = ReturnType<typeof createDueCharges>

export const createDueCharges = (call: Call, profile: Profile, merchant: Merchant) => {
  const operation = chargeOperation('cobv', profile, dueChargeSchema(merchant))
  return chargeCalls<DuePixCharge, DueChargeChange, DueChargeInput>({ call, operation, bodyOf })
}
