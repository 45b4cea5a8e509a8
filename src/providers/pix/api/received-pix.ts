/** Received Pix: `GET /pix` of one and of a period. The list is the truth that everything else is compared with. */
import { z } from 'zod'
import type { Call, CallOptions } from './calls/call.ts'
import { amountSchema } from './forms/amounts.ts'
import { isSame, orNull } from './forms/answers.ts'
import { pathPart } from './forms/identifiers.ts'
import { instantSchema, periodQuery } from './forms/instants.ts'
import { allPages, type Page, type PageOptions, type Period, pageQuery, pageSchema } from './forms/paging.ts'
import type { Outcome } from './outcome.ts'
import type { Profile } from './profiles.ts'
import { refundSchema } from './refunds.ts'

const part = orNull(z.object({ valor: amountSchema }))

const components = z
  .object({ original: part, multa: part, juros: part, abatimento: part, desconto: part, saque: part, troco: part })
  .transform(({ original, multa, juros, abatimento, desconto, saque, troco }) => ({
    original: original?.valor ?? null,
    fine: multa?.valor ?? null,
    interest: juros?.valor ?? null,
    rebate: abatimento?.valor ?? null,
    discount: desconto?.valor ?? null,
    /** Cash that was handed out (Pix Saque and Pix Troco). */
    cash: saque?.valor ?? troco?.valor ?? null,
  }))

export const receivedPixSchema = z
  .object({
    endToEndId: z.string().regex(/^[a-zA-Z0-9]{1,64}$/),
    txid: orNull(z.string().max(35)),
    valor: amountSchema,
    chave: orNull(z.string().max(77)),
    horario: instantSchema,
    // It explains the amount. Where it cannot be read, the amount stands all the same.
    componentesValor: orNull(components).catch(null),
    devolucoes: orNull(z.array(refundSchema)),
  })
  .transform(({ endToEndId, txid, valor, chave, horario, componentesValor, devolucoes }) => ({
    endToEndId,
    /** The charge that it pays; null for a transfer to our key. */
    txid: txid || null,
    amount: valor,
    /** Of what the amount is made: fine, interest and discount of a charge with a due date. */
    components: componentesValor,
    key: chave,
    receivedAt: horario,
    refunds: devolucoes ?? [],
  }))

/** Money that reached us. Who paid is left out: nothing needs it. */
export type ReceivedPix = z.infer<typeof receivedPixSchema>

export type PixQuery = Period & {
  txid?: string | undefined
  hasTxid?: boolean | undefined
  hasRefund?: boolean | undefined
}

const flag = (value: boolean | undefined): string | undefined => (value === undefined ? undefined : String(value))

const receivedPage = pageSchema('pix', receivedPixSchema)

export type ReceivedPixList = ReturnType<typeof createReceivedPix>

export const createReceivedPix = (call: Call, profile: Profile) => {
  const list = (
    { txid, hasTxid, hasRefund, ...period }: PixQuery,
    { page, pageSize, ...options }: PageOptions & CallOptions = {},
  ): Promise<Outcome<Page<ReceivedPix>>> => {
    const filters = {
      [profile.txidFilter]: txid,
      txIdPresente: flag(hasTxid),
      devolucaoPresente: flag(hasRefund),
    }
    return call(
      {
        ...{ name: 'pix.list', capability: 'pix', method: 'GET', path: profile.pathOf('/pix') },
        query: { ...periodQuery(period), ...filters, ...pageQuery({ page, pageSize }, profile) },
        isRepeatable: true,
        answer: receivedPage,
      },
      options,
    )
  }

  return {
    get: (endToEndId: string, options?: CallOptions): Promise<Outcome<ReceivedPix>> =>
      call(
        {
          ...{ name: 'pix.get', capability: 'pix', method: 'GET' },
          path: profile.pathOf(`/pix/${pathPart('endToEndId', endToEndId)}`),
          isRepeatable: true,
          answer: receivedPixSchema.refine((pix) => isSame(endToEndId, pix.endToEndId), { path: ['endToEndId'] }),
        },
        options,
      ),

    /** One page of a period that is no longer than the PSP serves. */
    list,

    /** All pages of a period of any length, as `allPages` says. */
    all: (query: PixQuery, options: PageOptions & CallOptions = {}): AsyncGenerator<Outcome<Page<ReceivedPix>>> =>
      allPages(query, profile, (period, page) => list({ ...query, ...period }, { ...options, page })),
  }
}
