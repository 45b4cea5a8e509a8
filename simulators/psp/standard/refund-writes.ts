import { type Centavos, centavos, negate } from '../../../src/domain/money.ts'
import { balanceOf, bookMovements } from '../accounts.ts'
import type { Bank } from '../bank.ts'
import { invalid, type Problem, violation } from '../http/problems.ts'
import { newReturnId } from '../identifiers.ts'
import type { DueWork } from '../schedule.ts'
import { tellPix } from './pix-view.ts'
import { findPix, getPix, type ReceivedPix } from './received-pix.ts'
import { type Refund, type RefundNature, type RefundStatus, refundableOf } from './refunds.ts'

const WINDOW_DAYS = 90
const DAY_MS = 86_400_000

export type AskedRefund = {
  amount: Centavos
  nature?: RefundNature | undefined
  description?: string | undefined
}

const refusal = (property: string, razao: string, status = 400): Problem =>
  invalid('PixDevolucaoInvalida', [violation(`devolucao.${property}`, razao)], status)

const repeat = (bank: Bank, known: Refund, asked: AskedRefund): Refund => {
  const isSame = known.amount === asked.amount && (known.description ?? undefined) === asked.description
  if (isSame && bank.settings.get().repeatedRefund === 'same') return known
  throw refusal('id', 'O id informado já foi utilizado em outra devolução.', bank.profile.takenStatus)
}

const insert = (bank: Bank, refund: Refund): Refund => {
  bank.store.run(
    'INSERT INTO refunds (rtr_id, merchant_id, e2e_id, id, amount, nature, description, status, reason, requested_at, settled_at, settles_at, settles_as) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)',
    ...[refund.rtr_id, refund.merchant_id, refund.e2e_id, refund.id, refund.amount, refund.nature],
    ...[refund.description, refund.status, refund.reason, refund.requested_at],
    ...[refund.settled_at, refund.settles_at, refund.settles_as],
  )
  bank.schedule.arm()
  return refund
}

const newRefund = (bank: Bank, pix: ReceivedPix, id: string, { amount, nature, description }: AskedRefund): Refund => {
  const now = bank.clock.now()
  return {
    rtr_id: newReturnId(bank.profile.ispb, now),
    merchant_id: pix.merchantId,
    e2e_id: pix.e2eId,
    id,
    amount,
    nature: nature ?? null,
    description: description ?? null,
    status: 'EM_PROCESSAMENTO',
    reason: null,
    requested_at: now,
    settled_at: null,
    settles_at: null,
    settles_as: null,
  }
}

/** A merchant asks to send money back. It settles later, as the PSP's settings say. */
export const requestRefund = (bank: Bank, merchantId: string, e2eId: string, id: string, asked: AskedRefund): Refund =>
  bank.store.transaction(() => {
    const pix = getPix(bank, merchantId, e2eId)
    const known = bank.store.one<Refund>('SELECT * FROM refunds WHERE e2e_id = ? AND id = ?', e2eId, id)
    if (known !== undefined) return repeat(bank, known, asked)
    if (bank.clock.now() > pix.receivedAt + WINDOW_DAYS * DAY_MS) {
      throw refusal('e2eid', `A janela de ${WINDOW_DAYS} dias para solicitações de devolução terminou.`)
    }
    if (asked.amount > refundableOf(bank, pix)) {
      throw refusal('valor', 'A devolução, em conjunto com as demais, excederia o valor do pix originário.')
    }
    const { outcome, afterMs, reason } = bank.settings.nextOutcome('refunds')
    const refund = newRefund(bank, pix, id, asked)
    if (outcome === 'hang') return insert(bank, refund)
    const plan = { settles_at: refund.requested_at + afterMs, settles_as: outcome, reason: reason ?? null }
    return insert(bank, { ...refund, ...plan })
  })

/** The PSP itself sends money back, which the merchant hears of afterwards. Throws a RangeError on too much. */
export const refundByPsp = (bank: Bank, pix: ReceivedPix, asked: AskedRefund): Refund =>
  bank.store.transaction(() => {
    if (asked.amount > refundableOf(bank, pix)) throw new RangeError('more than what is left of the Pix')
    const refund = newRefund(bank, pix, '', asked)
    return settle(bank, insert(bank, { ...refund, id: refund.rtr_id }), 'DEVOLVIDO')
  })

const book = (bank: Bank, { merchant_id: merchantId, rtr_id: rtrId, e2e_id: e2eId, id, amount }: Refund): void => {
  const txid = findPix(bank, e2eId)?.txid
  const facts = { merchantId, e2eId, txid, rtrId, reference: id, at: bank.clock.now() }
  bookMovements(bank, { ...facts, kind: 'PDE', amount: negate(centavos(amount)) })
}

/** Brings a refund to its end, and tells the merchant. */
export const settle = (bank: Bank, refund: Refund, status: RefundStatus, reason?: string): Refund => {
  const settledAt = status === 'DEVOLVIDO' ? bank.clock.now() : null
  bank.store.run(
    'UPDATE refunds SET status = ?, reason = ?, settled_at = ?, settles_at = NULL, settles_as = NULL WHERE rtr_id = ?',
    ...[status, reason ?? null, settledAt, refund.rtr_id],
  )
  if (status === 'DEVOLVIDO') book(bank, refund)
  const pix = findPix(bank, refund.e2e_id)
  if (pix !== undefined) tellPix(bank, pix)
  return { ...refund, status, reason: reason ?? null, settled_at: settledAt, settles_at: null, settles_as: null }
}

const settleDue = (bank: Bank, refund: Refund): Refund => {
  if (refund.settles_as === 'fail') {
    return settle(bank, refund, 'NAO_REALIZADO', refund.reason ?? 'Devolução rejeitada pelo PSP do pagador.')
  }
  if (balanceOf(bank, refund.merchant_id) < refund.amount) {
    return settle(bank, refund, 'NAO_REALIZADO', 'Saldo insuficiente para realizar a devolução.')
  }
  return settle(bank, refund, 'DEVOLVIDO')
}

/** Refunds settle when their moment comes. */
export const refundWork = (bank: Bank): DueWork => ({
  nextDueAt: () =>
    bank.store.one<{ due: number | null }>('SELECT min(settles_at) AS due FROM refunds WHERE settles_at IS NOT NULL')
      ?.due ?? undefined,
  run: () =>
    bank.store.transaction(() => {
      const sql = 'SELECT * FROM refunds WHERE settles_at <= ? ORDER BY settles_at, rtr_id'
      for (const refund of bank.store.all<Refund>(sql, bank.clock.now())) settleDue(bank, refund)
    }),
})
