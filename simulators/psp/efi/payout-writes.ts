import { type Centavos, centavos, negate } from '../../../src/domain/money.ts'
import { balanceOf, bookMovements, feeOf, termsOf } from '../accounts.ts'
import type { Bank } from '../bank.ts'
import { EfiRefusal } from '../http/problems.ts'
import { newEndToEndId, newReturnId } from '../identifiers.ts'
import type { DueWork } from '../schedule.ts'
import { tellPayout } from './payout-views.ts'
import { type Destination, findPayout, type Payout, type PayoutStatus } from './payouts.ts'
import { findKeyOwner } from './pix-keys.ts'

export type AskedPayout = {
  amount: Centavos
  key: string
  info?: string | undefined
  destination: Destination
}

type PayoutError = { codigo: string; origem: string; motivo: string }

const REJECTED: PayoutError = {
  codigo: 'AC03',
  origem: 'PSP do usuário recebedor',
  motivo: 'Número da agência e/ou conta transacional do usuário recebedor inexistente ou inválido',
}
const NO_FUNDS: PayoutError = { codigo: 'AM04', origem: 'PSP do usuário pagador', motivo: 'Saldo insuficiente' }

const judgeOwner = (bank: Bank, { chave, cpf, cnpj }: Destination): void => {
  const asked = cpf ?? cnpj
  const owner = chave === undefined ? undefined : findKeyOwner(bank, chave)
  if (asked === undefined || owner === undefined || owner.document === asked) return
  const field = cpf === undefined ? 'cnpj' : 'cpf'
  const sentence = `O ${field} do favorecido é diferente do documento em posse da chave`
  throw new EfiRefusal(400, 'chave_nao_pertence_ao_documento', sentence)
}

const repeat = (bank: Bank, known: Payout, requested: string): Payout => {
  if (known.requested === requested && bank.settings.get().repeatedPayout === 'same') return known
  throw new EfiRefusal(409, 'id_envio_duplicado', 'O id de envio informado já foi utilizado em outro pagamento')
}

const insert = (bank: Bank, payout: Payout): Payout => {
  bank.store.run(
    'INSERT INTO payouts (merchant_id, id, e2e_id, amount, key, payer_info, destination, requested, status, error, requested_at, settled_at, settles_at, settles_as) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)',
    ...[payout.merchant_id, payout.id, payout.e2e_id, payout.amount, payout.key, payout.payer_info],
    ...[payout.destination, payout.requested, payout.status, payout.error],
    ...[payout.requested_at, payout.settled_at, payout.settles_at, payout.settles_as],
  )
  bank.schedule.arm()
  return payout
}

const newPayout = (bank: Bank, merchantId: string, id: string, asked: AskedPayout, requested: string): Payout => {
  const now = bank.clock.now()
  const hasFunds = balanceOf(bank, merchantId) >= asked.amount
  const { outcome, afterMs, reason } = bank.settings.nextOutcome('payouts')
  const error = hasFunds ? { ...REJECTED, ...(reason === undefined ? {} : { motivo: reason }) } : NO_FUNDS
  const settlesAs = hasFunds && outcome !== 'fail' ? 'settle' : 'fail'
  return {
    ...{ merchant_id: merchantId, id, e2e_id: newEndToEndId(bank.profile.ispb, now), amount: asked.amount },
    ...{ key: asked.key, payer_info: asked.info ?? null, destination: JSON.stringify(asked.destination), requested },
    ...{ status: 'EM_PROCESSAMENTO', requested_at: now, settled_at: null },
    error: settlesAs === 'fail' ? JSON.stringify(error) : null,
    settles_at: outcome === 'hang' ? null : now + afterMs,
    settles_as: settlesAs,
  }
}

const factsOf = (bank: Bank, { merchant_id: merchantId, e2e_id: e2eId, id: reference }: Payout) => ({
  ...{ merchantId, e2eId, reference, at: bank.clock.now() },
})

const isToKey = ({ destination }: Payout): boolean => 'chave' in (JSON.parse(destination) as Destination)

/** The money leaves the account when the payout is accepted, and comes back if it fails. */
const bookOut = (bank: Bank, payout: Payout): void =>
  bookMovements(bank, {
    ...factsOf(bank, payout),
    kind: isToKey(payout) ? 'PEC' : 'PEB',
    amount: negate(centavos(payout.amount)),
  })

const isShortOfFunds = ({ error }: Payout): boolean => error === JSON.stringify(NO_FUNDS)

/** A merchant sends money. It is accepted at once and settles later, as the PSP's settings say. */
export const sendPayout = (bank: Bank, merchantId: string, id: string, asked: AskedPayout): Payout =>
  bank.store.transaction(() => {
    const requested = JSON.stringify(asked)
    const known = findPayout(bank, merchantId, id)
    if (known !== undefined) return repeat(bank, known, requested)
    judgeOwner(bank, asked.destination)
    const payout = insert(bank, newPayout(bank, merchantId, id, asked, requested))
    if (!isShortOfFunds(payout)) bookOut(bank, payout)
    return payout
  })

const bookEnd = (bank: Bank, payout: Payout, status: PayoutStatus): void => {
  const facts = factsOf(bank, payout)
  if (status === 'REALIZADO') {
    const fee = feeOf(centavos(payout.amount), termsOf(bank, payout.merchant_id).payoutFee)
    bookMovements(bank, { ...facts, kind: 'TPE', amount: negate(fee) })
  } else if (!isShortOfFunds(payout)) {
    bookMovements(bank, { ...facts, kind: 'EPE', amount: payout.amount })
  }
}

/** Brings a payout to its end, and tells the merchant. */
export const settlePayout = (bank: Bank, payout: Payout, status: PayoutStatus, reason?: string): Payout => {
  const failure = reason === undefined ? REJECTED : { ...REJECTED, motivo: reason }
  const error = status === 'NAO_REALIZADO' ? (payout.error ?? JSON.stringify(failure)) : null
  const settledAt = status === 'REALIZADO' ? bank.clock.now() : null
  bank.store.run(
    'UPDATE payouts SET status = ?, error = ?, settled_at = ?, settles_at = NULL WHERE merchant_id = ? AND id = ?',
    ...[status, error, settledAt, payout.merchant_id, payout.id],
  )
  const settled = { ...payout, status, error, settled_at: settledAt, settles_at: null }
  bookEnd(bank, settled, status)
  tellPayout(bank, settled)
  return settled
}

/** Money of a payout comes back, because who got it did not want it. */
export const returnPayout = (bank: Bank, payout: Payout, amount: Centavos, reason: string | undefined): Payout =>
  bank.store.transaction(() => {
    const rtrId = newReturnId('00416968', bank.clock.now())
    bank.store.run(
      'INSERT INTO payout_returns (rtr_id, e2e_id, amount, reason, returned_at) VALUES (?, ?, ?, ?, ?)',
      ...[rtrId, payout.e2e_id, amount, reason ?? null, bank.clock.now()],
    )
    bookMovements(bank, { ...factsOf(bank, payout), kind: 'PDR', amount, rtrId })
    tellPayout(bank, payout)
    return payout
  })

/** Payouts settle when their moment comes. */
export const payoutWork = (bank: Bank): DueWork => ({
  nextDueAt: () =>
    bank.store.one<{ due: number | null }>('SELECT min(settles_at) AS due FROM payouts WHERE settles_at IS NOT NULL')
      ?.due ?? undefined,
  run: () =>
    bank.store.transaction(() => {
      const sql = 'SELECT * FROM payouts WHERE settles_at <= ? ORDER BY settles_at, id'
      for (const payout of bank.store.all<Payout>(sql, bank.clock.now())) {
        settlePayout(bank, payout, payout.settles_as === 'fail' ? 'NAO_REALIZADO' : 'REALIZADO')
      }
    }),
})
