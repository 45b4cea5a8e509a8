import { randomUUID } from 'node:crypto'
import { type Centavos, centavos, smaller, toDecimal, ZERO } from '../../../src/domain/money.ts'
import { type Bank, findMerchant } from '../bank.ts'
import { isoOf } from '../clock.ts'
import type { Page, Period } from '../http/paging.ts'
import { Problem, violation } from '../http/problems.ts'
import { findPix, type ReceivedPix } from '../standard/received-pix.ts'
import { refundByPsp } from '../standard/refund-writes.ts'
import { refundableOf } from '../standard/refunds.ts'
import { createFilter, type Listed } from '../store.ts'

const DEFENCE_DAYS = 7
const DAY_MS = 86_400_000

export type InfractionStatus = 'ABERTA' | 'EM_DEFESA' | 'ACEITA' | 'REJEITADA' | 'CANCELADA_EFI'

/** A payer's claim, by the special return mechanism (MED), that a Pix was fraud. */
export type Infraction = {
  id: string
  number: number
  merchant_id: string
  e2e_id: string
  amount: number
  status: InfractionStatus
  situation: string | null
  comment: string | null
  defence: string | null
  analyst_reason: string | null
  opened_at: number
  due_at: number
  defended_at: number | null
  finished_at: number | null
  updated_at: number
}

export type NewInfraction = {
  amount: Centavos
  situation?: string | undefined
  comment?: string | undefined
}

export const findInfraction = ({ store }: Bank, id: string): Infraction | undefined =>
  store.one<Infraction>('SELECT * FROM infractions WHERE id = ?', id)

/** A payer's bank reports a Pix. What is claimed is held back from the balance until it is decided. */
export const openInfraction = (
  bank: Bank,
  pix: ReceivedPix,
  { amount, situation, comment }: NewInfraction,
): Infraction => {
  const now = bank.clock.now()
  const number = bank.store.one<{ next: number }>('SELECT coalesce(max(number), 0) + 1 AS next FROM infractions')?.next
  const infraction: Infraction = {
    ...{ id: randomUUID(), number: number ?? 1, merchant_id: pix.merchantId, e2e_id: pix.e2eId, amount },
    ...{ status: 'ABERTA', situation: situation ?? null, comment: comment ?? null, defence: null },
    ...{ analyst_reason: null, opened_at: now, due_at: now + DEFENCE_DAYS * DAY_MS },
    ...{ defended_at: null, finished_at: null, updated_at: now },
  }
  bank.store.run(
    'INSERT INTO infractions (id, number, merchant_id, e2e_id, amount, status, situation, comment, opened_at, due_at, updated_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)',
    ...[infraction.id, infraction.number, infraction.merchant_id, infraction.e2e_id, infraction.amount],
    ...[infraction.status, infraction.situation, infraction.comment, now, infraction.due_at, now],
  )
  return infraction
}

const isDecided = ({ status }: Infraction): boolean => status !== 'ABERTA' && status !== 'EM_DEFESA'

/** Moves an infraction on. Accepted, the PSP sends the money back, as far as there is any left of the Pix. */
export const moveInfraction = (bank: Bank, infraction: Infraction, status: InfractionStatus, reason?: string) =>
  bank.store.transaction((): Infraction => {
    const now = bank.clock.now()
    const moved: Infraction = { ...infraction, status, analyst_reason: reason ?? null, updated_at: now }
    const finishedAt = isDecided(moved) ? now : null
    bank.store.run(
      'UPDATE infractions SET status = ?, analyst_reason = ?, finished_at = ?, updated_at = ? WHERE id = ?',
      ...[status, moved.analyst_reason, finishedAt, now, infraction.id],
    )
    if (status === 'ACEITA') sendBack(bank, moved)
    return { ...moved, finished_at: finishedAt }
  })

const sendBack = (bank: Bank, { e2e_id, amount }: Infraction): void => {
  const pix = findPix(bank, e2e_id)
  if (pix === undefined) return
  const left = smaller(centavos(amount), centavos(refundableOf(bank, pix)))
  if (left > 0) refundByPsp(bank, pix, { amount: left, nature: 'MED_FRAUDE' })
}

const refusal = (status: number, razao: string): Problem =>
  new Problem('InfracaoOperacaoInvalida', {
    status,
    title: 'Operação Inválida',
    detail:
      'A requisição que busca apresentar uma defesa de infração não respeita o schema ou está semanticamente errada.',
    violations: [violation('body.infractionId', razao)],
  })

/**
 * The merchant answers a claim: it accepts it, and the money goes back, or defends itself, and the PSP decides. Throws
 * 404, 409 where it has answered or all is decided, and 422 after the deadline.
 */
export const defend = (bank: Bank, merchantId: string, id: string, isAccepted: boolean, defence: string): void =>
  bank.store.transaction(() => {
    const infraction = findInfraction(bank, id)
    if (infraction?.merchant_id !== merchantId) {
      throw new Problem('InfracaoNaoEncontrada', { status: 404, detail: 'Infração não encontrada.' })
    }
    if (infraction.status !== 'ABERTA') throw refusal(409, 'A defesa para essa infração já foi criada.')
    if (bank.clock.now() > infraction.due_at) throw refusal(422, 'O prazo para defesa foi excedido.')
    bank.store.run('UPDATE infractions SET defence = ?, defended_at = ? WHERE id = ?', defence, bank.clock.now(), id)
    moveInfraction(bank, { ...infraction, defence }, isAccepted ? 'ACEITA' : 'EM_DEFESA')
  })

export const listInfractions = (
  { store }: Bank,
  merchantId: string,
  period: Period,
  page: Page,
): Listed<Infraction> => {
  const filter = createFilter()
  filter.add('merchant_id = ?', merchantId)
  filter.add('opened_at BETWEEN ? AND ?', period.from, period.to)
  return store.page<Infraction>('infractions', filter, 'opened_at DESC, number DESC', page)
}

/** What claims that are not decided hold back from a merchant's balance. */
export const blockedOf = ({ store }: Bank, merchantId: string): Centavos => {
  const sql = "SELECT sum(amount) AS total FROM infractions WHERE merchant_id = ? AND status IN ('ABERTA', 'EM_DEFESA')"
  return centavos(store.one<{ total: number | null }>(sql, merchantId)?.total ?? ZERO)
}

const analysisView = (infraction: Infraction): Record<string, unknown> => ({
  abertura: isoOf(infraction.opened_at),
  prazoFinalizacao: isoOf(infraction.due_at),
  ...(infraction.defended_at === null ? {} : { recebimentoDefesa: isoOf(infraction.defended_at) }),
  ...(infraction.finished_at === null ? {} : { finalizacao: isoOf(infraction.finished_at) }),
})

/** The infraction as Efí shows it. */
export const infractionView = (bank: Bank, infraction: Infraction): Record<string, unknown> => {
  const pix = findPix(bank, infraction.e2e_id)
  const merchant = findMerchant(bank, infraction.merchant_id)
  const optional = {
    tipoSituacao: infraction.situation,
    comentario: infraction.comment,
    defesa: infraction.defence,
    justificativaAnalista: infraction.analyst_reason,
  }
  return {
    idInfracao: infraction.id,
    endToEndId: infraction.e2e_id,
    protocolo: String(infraction.number),
    dataTransacao: isoOf(pix?.receivedAt ?? infraction.opened_at),
    valor: toDecimal(centavos(infraction.amount)),
    chave: pix?.key,
    status: infraction.status,
    razao: 'Solicitacao de devolução',
    ...Object.fromEntries(Object.entries(optional).filter(([, value]) => value !== null)),
    identificadorTicket: [infraction.number],
    dadosAnalise: analysisView(infraction),
    origem: { nomeParticipante: 'BANCO XYZ', conta: '10001', nome: pix?.payer.name, documento: pix?.payer.document },
    destino: { nomeParticipante: 'PSP simulado', conta: '20002', nome: merchant?.name, documento: merchant?.cnpj },
    criadoEm: isoOf(infraction.opened_at),
    atualizadoEm: isoOf(infraction.updated_at),
  }
}
