/** Efí's `GET /v2/gn/saldo`. */
import { z } from 'zod'
import type { Call, CallOptions } from '../calls/call.ts'
import { balanceSchema } from '../forms/amounts.ts'
import { orNull } from '../forms/answers.ts'
import type { Outcome } from '../outcome.ts'

const blocked = z.object({ judicial: balanceSchema, med: balanceSchema, total: balanceSchema })

const accountBalanceSchema = z
  .object({ saldo: balanceSchema, bloqueios: orNull(blocked) })
  .transform(({ saldo, bloqueios }) => ({
    /** What can be paid out. */
    available: saldo,
    /** What is held back beside it: by courts, and for claims (MED) that are not decided. */
    blocked: bloqueios,
  }))

/** The balance of the account at the PSP. */
export type AccountBalance = z.infer<typeof accountBalanceSchema>

export type Balance = ReturnType<typeof createBalance>

export const createBalance = (call: Call) => ({
  get: (options?: CallOptions): Promise<Outcome<AccountBalance>> =>
    call(
      {
        ...{ name: 'gn.saldo', capability: 'balance', method: 'GET', path: '/v2/gn/saldo' },
        query: { bloqueios: 'true' },
        isRepeatable: true,
        answer: accountBalanceSchema,
      },
      options,
    ),
})
