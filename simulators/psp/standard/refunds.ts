import { centavos, toDecimal } from '../../../src/domain/money.ts'
import type { Bank } from '../bank.ts'
import { isoOf } from '../clock.ts'
import { notFound } from '../http/problems.ts'
import { getPix, type ReceivedPix } from './received-pix.ts'

export type RefundStatus = 'EM_PROCESSAMENTO' | 'DEVOLVIDO' | 'NAO_REALIZADO'

/** Why money goes back: those that begin with MED are the PSP's own. */
export type RefundNature = 'ORIGINAL' | 'RETIRADA' | 'MED_OPERACIONAL' | 'MED_FRAUDE' | 'MED_PIX_AUTOMATICO'

export type Refund = {
  rtr_id: string
  merchant_id: string
  e2e_id: string
  id: string
  amount: number
  nature: RefundNature | null
  description: string | null
  status: RefundStatus
  reason: string | null
  requested_at: number
  settled_at: number | null
  settles_at: number | null
  settles_as: 'settle' | 'fail' | null
}

export const refundsOf = ({ store }: Bank, e2eId: string): Refund[] =>
  store.all<Refund>('SELECT * FROM refunds WHERE e2e_id = ? ORDER BY requested_at, rtr_id', e2eId)

export const findRefund = ({ store }: Bank, rtrId: string): Refund | undefined =>
  store.one<Refund>('SELECT * FROM refunds WHERE rtr_id = ?', rtrId)

/** Throws `PixDevolucaoNaoEncontrada` where the merchant asked for no such refund. */
export const getRefund = (bank: Bank, merchantId: string, e2eId: string, id: string): Refund => {
  getPix(bank, merchantId, e2eId)
  const refund = bank.store.one<Refund>('SELECT * FROM refunds WHERE e2e_id = ? AND id = ?', e2eId, id)
  if (refund !== undefined) return refund
  throw notFound('PixDevolucaoNaoEncontrada', 'Devolução representada por id não encontrada para o e2eid informado.')
}

/** What may still be sent back of a Pix: what is under way counts as gone. */
export const refundableOf = (bank: Bank, pix: ReceivedPix): number => {
  const counted = refundsOf(bank, pix.e2eId).filter(({ status }) => status !== 'NAO_REALIZADO')
  return pix.amount - counted.reduce((total, { amount }) => total + amount, 0)
}

/** The refund as the standard shows it. */
export const refundView = (refund: Refund): Record<string, unknown> => ({
  id: refund.id,
  rtrId: refund.rtr_id,
  valor: toDecimal(centavos(refund.amount)),
  ...(refund.nature === null ? {} : { natureza: refund.nature }),
  ...(refund.description === null ? {} : { descricao: refund.description }),
  horario: {
    solicitacao: isoOf(refund.requested_at),
    ...(refund.settled_at === null ? {} : { liquidacao: isoOf(refund.settled_at) }),
  },
  status: refund.status,
  ...(refund.status === 'NAO_REALIZADO' && refund.reason !== null ? { motivo: refund.reason } : {}),
})
