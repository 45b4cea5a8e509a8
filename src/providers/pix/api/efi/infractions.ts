/** Efí's infractions, claims by the special return mechanism (MED): `GET /v2/gn/infracoes`, `POST …/{id}/defesa`. */
import { z } from 'zod'
import { type Call, type CallOptions, nothing } from '../calls/call.ts'
import { amountSchema } from '../forms/amounts.ts'
import { named, orNull } from '../forms/answers.ts'
import { pathPart } from '../forms/identifiers.ts'
import { instantSchema, periodQuery } from '../forms/instants.ts'
import { allPages, type Page, type PageOptions, type Period, pageQuery, pageSchema } from '../forms/paging.ts'
import type { Outcome } from '../outcome.ts'
import type { Profile } from '../profiles.ts'

const STATUSES = {
  ABERTA: 'open',
  EM_DEFESA: 'in_defence',
  ACEITA: 'accepted',
  REJEITADA: 'rejected',
  CANCELADA_EFI: 'canceled',
} as const

const SITUATIONS = {
  golpe: 'scam',
  'aquisição da conta': 'account_takeover',
  coerção: 'coercion',
  'acesso fraudulento': 'fraudulent_access',
  outro: 'other',
  desconhecido: 'unknown',
} as const

const infractionSchema = z
  .object({
    idInfracao: z.string().regex(/^[a-zA-Z0-9-]{1,64}$/),
    endToEndId: z.string().regex(/^[a-zA-Z0-9]{1,64}$/),
    protocolo: orNull(z.string().max(60)),
    valor: amountSchema,
    status: named(STATUSES),
    tipoSituacao: orNull(named(SITUATIONS)),
    dadosAnalise: z.object({
      abertura: instantSchema,
      prazoFinalizacao: instantSchema,
      recebimentoDefesa: orNull(instantSchema),
      finalizacao: orNull(instantSchema),
    }),
    atualizadoEm: orNull(instantSchema),
  })
  .transform(({ idInfracao, endToEndId, protocolo, valor, status, tipoSituacao, dadosAnalise, atualizadoEm }) => ({
    id: idInfracao,
    endToEndId,
    /** What Efí's support knows it by. */
    protocol: protocolo,
    /** What is claimed, which may be less than the Pix. */
    amount: valor,
    /** Accepted: the money goes back. */
    status,
    situation: tipoSituacao,
    openedAt: dadosAnalise.abertura,
    respondBy: dadosAnalise.prazoFinalizacao,
    defendedAt: dadosAnalise.recebimentoDefesa,
    finishedAt: dadosAnalise.finalizacao,
    updatedAt: atualizadoEm,
  }))

/** A payer's claim that a Pix was fraud. Who claims, and in which words, is left out. */
export type Infraction = z.infer<typeof infractionSchema>

const infractionPage = pageSchema('infracoes', infractionSchema)

const INFRACTIONS = '/v2/gn/infracoes'

export type Infractions = ReturnType<typeof createInfractions>

export const createInfractions = (call: Call, profile: Profile) => {
  const list = (
    period: Period,
    { page, pageSize, ...options }: PageOptions & CallOptions = {},
  ): Promise<Outcome<Page<Infraction>>> =>
    call(
      {
        ...{ name: 'gn.infracoes.list', capability: 'infractions', method: 'GET', path: INFRACTIONS },
        query: { ...periodQuery(period), ...pageQuery({ page, pageSize }, profile) },
        isRepeatable: true,
        answer: infractionPage,
      },
      options,
    )

  return {
    /** One page of the claims that were opened in a period no longer than Efí serves. */
    list,

    /** All pages of a period of any length, as `allPages` says. */
    all: (period: Period, options: PageOptions & CallOptions = {}): AsyncGenerator<Outcome<Page<Infraction>>> =>
      allPages(period, profile, (part, page) => list(part, { ...options, page })),

    /** Says that the claim is wrong, and why. Once for a claim: `conflict` after that, `refused` after its deadline. */
    defend: (id: string, text: string, options?: CallOptions): Promise<Outcome<undefined>> =>
      call(answerTo(id, 'rejeitado', text), options),

    /** Agrees with the claim: the money goes back to the payer. */
    accept: (id: string, text: string, options?: CallOptions): Promise<Outcome<undefined>> =>
      call(answerTo(id, 'aceito', text), options),
  }
}

const answerTo = (id: string, analise: 'aceito' | 'rejeitado', justificativa: string) => ({
  ...({ name: 'gn.infracoes.defesa', capability: 'infractions', method: 'POST' } as const),
  path: `${INFRACTIONS}/${pathPart('infractionId', id)}/defesa`,
  body: { analise, justificativa },
  isRepeatable: false,
  answer: nothing,
})
