import { toDecimal } from '../../../src/domain/money.ts'
import type { Bank } from '../bank.ts'
import { tell } from '../callbacks.ts'
import { isoOf } from '../clock.ts'
import type { ReceivedPix } from './received-pix.ts'
import { refundsOf, refundView } from './refunds.ts'

const efiExtras = ({ payer, fee }: ReceivedPix): Record<string, unknown> => {
  const document = payer.document.length === 11 ? { cpf: payer.document } : { cnpj: payer.document }
  return { gnExtras: { pagador: { nome: payer.name, ...document, codigoBanco: payer.bank }, tarifa: toDecimal(fee) } }
}

/** The Pix as the standard shows it, with what was sent back of it. */
export const pixView = (bank: Bank, pix: ReceivedPix): Record<string, unknown> => {
  const refunds = refundsOf(bank, pix.e2eId)
  return {
    endToEndId: pix.e2eId,
    ...(pix.txid === undefined ? {} : { txid: pix.txid }),
    valor: toDecimal(pix.amount),
    componentesValor: pix.components,
    chave: pix.key,
    horario: isoOf(pix.receivedAt),
    ...(pix.payer.info === undefined ? {} : { infoPagador: pix.payer.info }),
    ...(refunds.length === 0 ? {} : { devolucoes: refunds.map(refundView) }),
  }
}

/** The Pix as a callback tells it: Efí adds who paid and what it took. */
const toldPix = (bank: Bank, pix: ReceivedPix): Record<string, unknown> => ({
  ...pixView(bank, pix),
  ...(bank.profile.efi ? efiExtras(pix) : {}),
})

/** Calls a Pix's merchant back. Those without a txid are not told. */
export const tellPix = (bank: Bank, pix: ReceivedPix): void => {
  if (pix.txid !== undefined) tell(bank, pix.merchantId, pix.key, toldPix(bank, pix))
}
