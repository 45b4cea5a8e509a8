import { centavos, toDecimal } from '../../../src/domain/money.ts'
import { maskTaxId } from '../../../src/domain/tax-id.ts'
import { feeOf, termsOf } from '../accounts.ts'
import type { Bank } from '../bank.ts'
import { tell } from '../callbacks.ts'
import { isoOf } from '../clock.ts'
import { type Destination, type Payout, type PayoutReturn, returnsOf } from './payouts.ts'
import { findKeyOwner } from './pix-keys.ts'

const maskedDocument = (document: string) =>
  document.length === 11 ? { cpf: maskTaxId(document) } : { cnpj: maskTaxId(document) }

const beneficiaryView = (bank: Bank, { destination }: Payout): Record<string, unknown> => {
  const { chave, contaBanco } = JSON.parse(destination) as Destination
  if (contaBanco !== undefined) {
    const { nome, cpf, cnpj, agencia, conta, tipoConta, codigoBanco } = contaBanco
    const account = { nome, ...maskedDocument(cpf ?? cnpj ?? ''), codigoBanco, agencia, conta, tipoConta }
    return { contaBanco: account }
  }
  const owner = findKeyOwner(bank, chave ?? '')
  return { chave, ...(owner && { identificacao: { nome: owner.name, ...maskedDocument(owner.document) } }) }
}

const returnView = ({ rtr_id, amount, reason, returned_at }: PayoutReturn): Record<string, unknown> => ({
  rtrId: rtr_id,
  valor: toDecimal(centavos(amount)),
  horario: { liquidacao: isoOf(returned_at) },
  status: 'DEVOLVIDO',
  ...(reason === null ? {} : { motivo: reason }),
})

const returnsView = (bank: Bank, payout: Payout): Record<string, unknown> => {
  const returns = returnsOf(bank, payout)
  return returns.length === 0 ? {} : { devolucoes: returns.map(returnView) }
}

/** What the request for a payout is answered with. */
export const acceptedView = ({ id, e2e_id, amount, requested_at, status }: Payout): Record<string, unknown> => ({
  idEnvio: id,
  e2eId: e2e_id,
  valor: toDecimal(centavos(amount)),
  horario: { solicitacao: isoOf(requested_at) },
  status,
})

/** The payout as Efí shows it to who asks. */
export const payoutView = (bank: Bank, payout: Payout): Record<string, unknown> => ({
  endToEndId: payout.e2e_id,
  idEnvio: payout.id,
  valor: toDecimal(centavos(payout.amount)),
  chave: payout.key,
  status: payout.status,
  ...(payout.payer_info === null ? {} : { infoPagador: payout.payer_info }),
  horario: {
    solicitacao: isoOf(payout.requested_at),
    ...(payout.settled_at === null ? {} : { liquidacao: isoOf(payout.settled_at) }),
  },
  favorecido: beneficiaryView(bank, payout),
  ...returnsView(bank, payout),
  ...(payout.status === 'NAO_REALIZADO' && payout.error ? { gnExtras: { erro: JSON.parse(payout.error) } } : {}),
})

/** Calls the merchant back about a payout, at the address of the key that paid. */
export const tellPayout = (bank: Bank, payout: Payout): void => {
  const error = payout.status === 'NAO_REALIZADO' && payout.error ? { erro: JSON.parse(payout.error) } : {}
  const fee = feeOf(centavos(payout.amount), termsOf(bank, payout.merchant_id).payoutFee)
  const cost = payout.status === 'REALIZADO' ? { tarifa: toDecimal(fee) } : {}
  tell(bank, payout.merchant_id, payout.key, {
    endToEndId: payout.e2e_id,
    chave: payout.key,
    tipo: 'SOLICITACAO',
    status: payout.status,
    valor: toDecimal(centavos(payout.amount)),
    horario: payout.settled_at === null ? null : isoOf(payout.settled_at),
    ...(payout.payer_info === null ? {} : { infoPagador: payout.payer_info }),
    ...returnsView(bank, payout),
    gnExtras: { idEnvio: payout.id, ...cost, ...error },
  })
}
