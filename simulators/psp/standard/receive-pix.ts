import { type Centavos, negate, toDecimal } from '../../../src/domain/money.ts'
import { bookMovements, feeOf, termsOf } from '../accounts.ts'
import type { Bank } from '../bank.ts'
import { newEndToEndId } from '../identifiers.ts'
import { concludeCharge } from './charge-writes.ts'
import type { Charge } from './charges.ts'
import type { DueAmounts } from './due-amounts.ts'
import { tellPix } from './pix-view.ts'
import type { Payer, ReceivedPix } from './received-pix.ts'

export type NewPix = {
  merchantId: string
  key: string
  amount: Centavos
  /** What was paid, where it was a charge. */
  charge?: Charge | undefined
  /** Of a static code. */
  txid?: string | undefined
  components: Record<string, unknown>
  payer: Payer
  /** What the PSP takes for it, where it is not what the merchant's terms say. */
  fee?: Centavos | undefined
  receivedAt: number
}

/** How an amount is made up, in the standard's words. What is nothing is left out. */
export const componentsOf = (amounts: DueAmounts): Record<string, unknown> => {
  const parts = { multa: amounts.fine, juros: amounts.interest, abatimento: amounts.rebate, desconto: amounts.discount }
  const present = Object.entries(parts).filter(([, amount]) => amount > 0)
  return {
    original: { valor: toDecimal(amounts.original) },
    ...Object.fromEntries(present.map(([name, amount]) => [name, { valor: toDecimal(amount) }])),
  }
}

const insert = ({ store }: Bank, pix: ReceivedPix): void =>
  void store.run(
    'INSERT INTO received_pix (e2e_id, merchant_id, txid, key, amount, components, fee, received_at, payer_name, payer_document, payer_bank, payer_info) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)',
    ...[pix.e2eId, pix.merchantId, pix.txid ?? null, pix.key, pix.amount, JSON.stringify(pix.components), pix.fee],
    ...[pix.receivedAt, pix.payer.name, pix.payer.document, pix.payer.bank, pix.payer.info ?? null],
  )

const book = (bank: Bank, { merchantId, e2eId, txid, amount, fee, receivedAt: at }: ReceivedPix): void =>
  bookMovements(
    bank,
    { merchantId, kind: 'PR', amount, at, e2eId, txid },
    { merchantId, kind: 'TPR', amount: negate(fee), at, e2eId, txid },
  )

/** Takes a Pix in: money and fee are booked, its charge is concluded, and its merchant called back. */
export const receivePix = (bank: Bank, { charge, ...asked }: NewPix): ReceivedPix =>
  bank.store.transaction(() => {
    const pix = {
      ...asked,
      txid: charge?.txid ?? asked.txid,
      e2eId: newEndToEndId(asked.payer.bank, asked.receivedAt),
      fee: asked.fee ?? feeOf(asked.amount, termsOf(bank, asked.merchantId).receivedFee),
    }
    insert(bank, pix)
    book(bank, pix)
    if (charge !== undefined) concludeCharge(bank, charge)
    tellPix(bank, pix)
    return pix
  })
