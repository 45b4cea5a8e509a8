/** Efí's payouts: `PUT /v3/gn/pix/{idEnvio}`, and `GET /v2/gn/pix/enviados` by our id, by end-to-end id and by period. */
import { z } from 'zod'
import type { Centavos } from '../../../../domain/money.ts'
import type { Call, CallOptions, Operation } from '../calls/call.ts'
import { amountSchema, amountText } from '../forms/amounts.ts'
import { isSame, named, orNull, words } from '../forms/answers.ts'
import { pathPart } from '../forms/identifiers.ts'
import { instantSchema, periodQuery } from '../forms/instants.ts'
import { allPages, type Page, type PageOptions, type Period, pageQuery, pageSchema } from '../forms/paging.ts'
import type { Outcome } from '../outcome.ts'
import type { Profile } from '../profiles.ts'

const STATUSES = { EM_PROCESSAMENTO: 'processing', REALIZADO: 'completed', NAO_REALIZADO: 'failed' } as const

const endToEndId = z.string().regex(/^[a-zA-Z0-9]{1,64}$/)
const times = orNull(z.object({ solicitacao: orNull(instantSchema), liquidacao: orNull(instantSchema) }))

const acceptedSchema = z
  .object({ idEnvio: z.string().max(64), e2eId: endToEndId, valor: amountSchema, status: orNull(named(STATUSES)) })
  .transform(({ idEnvio, e2eId, valor, status }) => ({
    id: idEnvio,
    endToEndId: e2eId,
    amount: valor,
    status: status ?? 'processing',
  }))

/** What is known of a payout when Efí takes it: it settles later. */
export type AcceptedPayout = z.infer<typeof acceptedSchema>

const returnSchema = z
  .object({ rtrId: orNull(z.string().max(64)), valor: amountSchema, horario: times, motivo: orNull(words) })
  .transform(({ rtrId, valor, horario, motivo }) => ({
    returnId: rtrId,
    amount: valor,
    /** Why, in the words of whoever sent it back: not for a log. */
    reason: motivo,
    returnedAt: horario?.liquidacao ?? horario?.solicitacao ?? null,
  }))

const errorSchema = z.object({ codigo: orNull(z.string().max(20)), motivo: orNull(words) })

const sentPixSchema = z
  .object({
    endToEndId,
    // Those that were sent by hand, in the account, have none.
    idEnvio: orNull(z.string().max(64)),
    valor: amountSchema,
    status: named(STATUSES),
    horario: times,
    devolucoes: orNull(z.array(returnSchema)),
    gnExtras: orNull(z.object({ erro: orNull(errorSchema) })).catch(null),
  })
  .transform(({ idEnvio, valor, horario, devolucoes, gnExtras, ...pix }) => ({
    endToEndId: pix.endToEndId,
    /** Ours; null for one that somebody sent in the account itself. */
    id: idEnvio,
    amount: valor,
    status: pix.status,
    requestedAt: horario?.solicitacao ?? null,
    settledAt: horario?.liquidacao ?? null,
    /** Money of it that came back. */
    returns: devolucoes ?? [],
    /** Why it failed: the payment system's code, such as `AC03`, and words that are not for a log. */
    error: gnExtras?.erro == null ? null : { code: gnExtras.erro.codigo, reason: gnExtras.erro.motivo },
  }))

/** Money that left the account. Whom it went to is left out. */
export type SentPix = z.infer<typeof sentPixSchema>

/** An account at any bank. `bank` is its ISPB. */
export type BankAccount = {
  name: string
  document: string
  bank: string
  branch: string
  account: string
  type: 'checking' | 'savings'
}

/** A Pix key, and whose it must be where that is known; or an account. */
export type Recipient = { key: string; document?: string | undefined } | { account: BankAccount }

export type PayoutInput = {
  amount: Centavos
  /** Our own key: the account that pays, and whose address is called back. */
  payerKey: string
  to: Recipient
  /** Shown to the recipient, up to 140 characters. */
  message?: string | undefined
}

const documentBody = (document: string): Record<string, string> =>
  document.length === 11 ? { cpf: document } : { cnpj: document }

const recipientBody = (to: Recipient): Record<string, unknown> => {
  if ('key' in to) return { chave: to.key, ...(to.document === undefined ? {} : documentBody(to.document)) }
  const { name, document, bank, branch, account, type } = to.account
  const kind = type === 'checking' ? 'cacc' : 'svgs'
  return {
    contaBanco: {
      ...{ nome: name, ...documentBody(document) },
      ...{ codigoBanco: bank, agencia: branch, conta: account, tipoConta: kind },
    },
  }
}

const bodyOf = ({ amount, payerKey, to, message }: PayoutInput): Record<string, unknown> => ({
  valor: amountText(amount),
  pagador: { chave: payerKey, ...(message === undefined ? {} : { infoPagador: message }) },
  favorecido: recipientBody(to),
})

const sentPage = pageSchema('pix', sentPixSchema)

const SENT = '/v2/gn/pix/enviados'

const reading = <Value>(name: string, path: string, answer: z.ZodType<Value>): Omit<Operation<Value>, 'query'> => ({
  ...{ name, capability: 'payouts', method: 'GET', path },
  isRepeatable: true,
  answer,
})

export type PixPayouts = ReturnType<typeof createPayouts>

export const createPayouts = (call: Call, profile: Profile) => {
  const list = (
    period: Period,
    { page, pageSize, ...options }: PageOptions & CallOptions = {},
  ): Promise<Outcome<Page<SentPix>>> => {
    const query = { ...periodQuery(period), ...pageQuery({ page, pageSize }, profile) }
    return call({ ...reading('gn.enviados.list', SENT, sentPage), query }, options)
  }

  return {
    /**
     * Sends money under an id of ours (1 to 35 letters and digits). An id is good for one payout, ever: one that is
     * known is a `conflict`, also for the same content, and `get` tells what became of it.
     */
    put: (id: string, input: PayoutInput, options?: CallOptions): Promise<Outcome<AcceptedPayout>> =>
      call(
        {
          ...{ name: 'gn.pix.put', capability: 'payouts', method: 'PUT' },
          path: `/v3/gn/pix/${pathPart('payoutId', id)}`,
          body: bodyOf(input),
          isRepeatable: false,
          answer: acceptedSchema.refine((payout) => isSame(id, payout.id), { path: ['idEnvio'] }),
        },
        options,
      ),

    get: (id: string, options?: CallOptions): Promise<Outcome<SentPix>> => {
      const answer = sentPixSchema.refine((pix) => isSame(id, pix.id ?? ''), { path: ['idEnvio'] })
      const path = `${SENT}/id-envio/${pathPart('payoutId', id)}`
      return call(reading('gn.enviados.id-envio', path, answer), options)
    },

    getByEndToEndId: (asked: string, options?: CallOptions): Promise<Outcome<SentPix>> => {
      const answer = sentPixSchema.refine((pix) => isSame(asked, pix.endToEndId), { path: ['endToEndId'] })
      return call(reading('gn.enviados.get', `${SENT}/${pathPart('endToEndId', asked)}`, answer), options)
    },

    /** One page of what was sent in a period no longer than Efí serves. */
    list,

    /** All pages of a period of any length, as `allPages` says. */
    all: (period: Period, options: PageOptions & CallOptions = {}): AsyncGenerator<Outcome<Page<SentPix>>> =>
      allPages(period, profile, (part, page) => list(part, { ...options, page })),
  }
}
