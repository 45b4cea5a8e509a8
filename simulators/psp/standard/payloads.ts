import { createHash, createPrivateKey, createPublicKey, X509Certificate } from 'node:crypto'
import { CompactSign, exportJWK, type JWK } from 'jose'
import { isCalendarDate, saoPauloDate } from '../../../src/domain/calendar.ts'
import { toDecimal } from '../../../src/domain/money.ts'
import type { Bank } from '../bank.ts'
import type { Identity } from '../certificates/authority.ts'
import { isoOf } from '../clock.ts'
import { invalid, notFound, Problem, violation } from '../http/problems.ts'
import { type Charge, type DueCharge, findCharge, receiverView } from './charges.ts'
import { dueAmountsOn, lastPayableDate } from './due-amounts.ts'
import { type ChargeKind, findLocationByToken } from './locations.ts'

/** Signs what payers' banks read, so that they can tell that it is the PSP's. */
export type Signer = { sign: (payload: unknown) => Promise<string>; keys: () => Promise<{ keys: JWK[] }> }

/** Signs with the server's key, as the security manual has it: RS256, with the key's address and the certificate's hash. */
export const createSigner = ({ key, certificate }: Identity, publicHost: () => string): Signer => {
  const privateKey = createPrivateKey(key)
  const der = new X509Certificate(certificate).raw
  const kid = createHash('sha256').update(der).digest('base64url')
  const x5t = createHash('sha1').update(der).digest('base64url')

  const sign = (payload: unknown): Promise<string> =>
    new CompactSign(new TextEncoder().encode(JSON.stringify(payload)))
      .setProtectedHeader({ alg: 'RS256', typ: 'JWS', kid, x5t, jku: `https://${publicHost()}/.well-known/jwks.json` })
      .sign(privateKey)

  const keys = async (): Promise<{ keys: JWK[] }> => {
    const jwk = await exportJWK(createPublicKey(privateKey))
    return { keys: [{ ...jwk, kid, x5t, x5c: [der.toString('base64')], alg: 'RS256', use: 'sig' }] }
  }

  return { sign, keys }
}

const chargeAt = (bank: Bank, kind: ChargeKind, token: string): Charge => {
  const location = findLocationByToken(bank, token)
  const isHere = location?.kind === kind && location.txid !== null
  const charge = isHere ? findCharge(bank, location.merchant_id, location.txid ?? '') : undefined
  if (charge === undefined) {
    throw notFound('CobPayloadNaoEncontrado', 'A cobrança em questão não foi encontrada para a location requisitada.')
  }
  if (charge.status !== 'ATIVA') {
    const detail = `A cobrança não pode mais ser paga: ${charge.status}.`
    throw new Problem('CobPayloadNaoEncontrado', { status: 410, detail })
  }
  return charge
}

const commonPayload = (
  bank: Bank,
  { txid, revision, status, content, createdAt }: Charge,
): Record<string, unknown> => ({
  ...content,
  txid,
  revisao: revision,
  status,
  calendario: { ...content.calendario, criacao: isoOf(createdAt), apresentacao: bank.clock.iso() },
})

const duePayload = (bank: Bank, charge: DueCharge, payDate: string): Record<string, unknown> => {
  const { valor, calendario, devedor } = charge.content
  const amounts = dueAmountsOn(valor, calendario.dataDeVencimento, payDate)
  const parts = { multa: amounts.fine, juros: amounts.interest, abatimento: amounts.rebate, desconto: amounts.discount }
  const present = Object.entries(parts).filter(([, amount]) => amount > 0)
  return {
    ...commonPayload(bank, charge),
    devedor,
    ...receiverView(bank, charge.merchantId),
    valor: {
      original: toDecimal(amounts.original),
      ...Object.fromEntries(present.map(([name, amount]) => [name, toDecimal(amount)])),
      final: toDecimal(amounts.final),
    },
  }
}

const payDateOf = (bank: Bank, charge: DueCharge, asked: string | undefined): string => {
  const today = saoPauloDate(new Date(bank.clock.now()))
  if (asked === undefined) return today
  const { dataDeVencimento, validadeAposVencimento } = charge.content.calendario
  const isGood =
    isCalendarDate(asked) && asked >= today && asked <= lastPayableDate(dataDeVencimento, validadeAposVencimento)
  if (isGood) return asked
  throw invalid('CobPayloadOperacaoInvalida', [
    violation('DPP', 'DPP não é uma data, é anterior ao momento presente ou superior à validade da cobrança.'),
  ])
}

/**
 * What a payer's bank reads at a location. `payDate` is the date on which the payer intends to pay. Throws 404 where no
 * charge is, and 410 where one was that can be paid no more.
 */
export const payloadAt = (bank: Bank, kind: ChargeKind, token: string, payDate?: string): Record<string, unknown> => {
  const charge = chargeAt(bank, kind, token)
  if (charge.kind === 'cobv') return duePayload(bank, charge, payDateOf(bank, charge, payDate))
  return commonPayload(bank, charge)
}
