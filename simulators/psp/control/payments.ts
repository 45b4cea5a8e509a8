import { z } from 'zod'
import { parseBrCode } from '../../../src/domain/br-code.ts'
import { saoPauloDate } from '../../../src/domain/calendar.ts'
import { type Centavos, fromDecimal, toDecimal } from '../../../src/domain/money.ts'
import { type Bank, findMerchantByKey } from '../bank.ts'
import type { Merchant } from '../certificates/folder.ts'
import { amountText } from '../standard/charge-schemas.ts'
import { removeByPsp } from '../standard/charge-writes.ts'
import { type Charge, chargeView, expiresAt, findCharge, findChargesByTxid } from '../standard/charges.ts'
import { dueAmountsOn, lastPayableDate } from '../standard/due-amounts.ts'
import { findLocationByToken } from '../standard/locations.ts'
import { pixView } from '../standard/pix-view.ts'
import { componentsOf, receivePix } from '../standard/receive-pix.ts'
import { about, ControlRefusal, type ControlServer, merchantBy, missing } from './operation.ts'

const payer = z.strictObject({
  name: z.string().min(1).max(140).default('Francisco da Silva'),
  document: z
    .string()
    .regex(/^(?:\d{11}|[0-9A-Z]{14})$/)
    .default('52998224725'),
  /** ISPB of the payer's bank. */
  bank: z
    .string()
    .regex(/^\d{8}$/)
    .default('60701190'),
  /** What the payer typed. */
  info: z.string().max(140).optional(),
})

const body = z
  .strictObject({
    txid: z.string().min(1).max(35).optional(),
    brCode: z.string().max(512).optional(),
    key: z.string().max(77).optional(),
    /** Whose charge it is, where several merchants have one of this txid. */
    merchant: z.string().max(60).optional(),
    /** What is paid, where it is not what is asked for. */
    amount: amountText.optional(),
    payer: payer.prefault({}),
    /** Pays what payers' banks would refuse: a charge that is paid, removed or expired. */
    force: z.boolean().default(false),
    /** What the PSP takes for it, where it is not what the merchant's terms say. */
    fee: amountText.optional(),
    /** It was paid then, and the PSP shows and tells it only now. */
    secondsAgo: z.int().min(0).max(7_776_000).default(0),
  })
  .refine(
    ({ txid, brCode, key }) => [txid, brCode, key].filter((target) => target !== undefined).length === 1,
    'say one of txid, brCode and key',
  )

type Body = z.infer<typeof body>

/** What is paid: a charge, or a key, perhaps with the txid and amount of a static code. */
type Target =
  | { charge: Charge }
  | { charge?: undefined; merchant: Merchant; key: string; txid?: string | undefined; amount?: Centavos | undefined }

const oneOf = (charges: readonly Charge[], txid: string): Charge => {
  const [charge, ...others] = charges
  if (charge === undefined) throw missing(`charge: ${txid}`)
  if (others.length === 0) return charge
  const owners = charges.map(({ merchantId }) => merchantId).join(', ')
  throw new ControlRefusal(409, `Several merchants have a charge of this txid: say merchant (${owners}).`)
}

const chargeBy = (bank: Bank, txid: string, merchantId: string | undefined): Charge => {
  if (merchantId === undefined) return oneOf(findChargesByTxid(bank, txid), txid)
  const charge = findCharge(bank, merchantId, txid)
  if (charge === undefined) throw missing(`charge of ${merchantId}: ${txid}`)
  return charge
}

const keyTarget = (bank: Bank, key: string): { merchant: Merchant; key: string } => {
  const merchant = findMerchantByKey(bank, key)
  if (merchant === undefined) throw missing(`key: ${key}`)
  return { merchant, key }
}

const codeTarget = (bank: Bank, brCode: string): Target => {
  const fields = parseBrCode(brCode)
  if (fields === undefined) throw new ControlRefusal(400, 'This is no BR Code, or its CRC is wrong.')
  const url = fields.get('26.25')
  if (url !== undefined) {
    const location = findLocationByToken(bank, url.slice(url.lastIndexOf('/') + 1))
    const charge = location?.txid ? findCharge(bank, location.merchant_id, location.txid) : undefined
    if (charge === undefined) throw missing(`charge at ${url}`)
    return { charge }
  }
  const txid = fields.get('62.05')
  const amount = fields.get('54')
  return {
    ...keyTarget(bank, fields.get('26.01') ?? ''),
    txid: txid === '***' ? undefined : txid,
    amount: amount === undefined ? undefined : fromDecimal(amount),
  }
}

const targetOf = (bank: Bank, { txid, brCode, key, merchant }: Body): Target => {
  if (txid !== undefined) return { charge: chargeBy(bank, txid, merchant) }
  return brCode === undefined ? keyTarget(bank, key ?? '') : codeTarget(bank, brCode)
}

/** Why a payer's bank would refuse to pay a charge at a moment, if it would. */
const obstacleOf = (charge: Charge, paidAt: number): string | undefined => {
  if (charge.status !== 'ATIVA') return `the charge is ${charge.status}`
  if (charge.kind === 'cob') return paidAt > expiresAt(charge) ? 'the charge has expired' : undefined
  const { dataDeVencimento, validadeAposVencimento } = charge.content.calendario
  const isOver = saoPauloDate(new Date(paidAt)) > lastPayableDate(dataDeVencimento, validadeAposVencimento)
  return isOver ? 'the last day on which the charge can be paid is over' : undefined
}

type Price = { amount: Centavos; components: Record<string, unknown> }

const priceOf = (target: Target, asked: Centavos | undefined, paidAt: number): Price => {
  const { charge } = target
  if (charge?.kind === 'cobv' && asked === undefined) {
    const payDate = saoPauloDate(new Date(paidAt))
    const amounts = dueAmountsOn(charge.content.valor, charge.content.calendario.dataDeVencimento, payDate)
    return { amount: amounts.final, components: componentsOf(amounts) }
  }
  const amount = asked ?? (charge === undefined ? target.amount : fromDecimal(charge.content.valor.original))
  if (amount === undefined) throw new ControlRefusal(400, 'Say amount: nothing else does.')
  return { amount, components: { original: { valor: toDecimal(amount) } } }
}

const receiverOf = (target: Target) =>
  target.charge === undefined
    ? { merchantId: target.merchant.id, key: target.key, txid: target.txid }
    : { merchantId: target.charge.merchantId, key: target.charge.content.chave, charge: target.charge }

const pay = (bank: Bank, asked: Body) => {
  const target = targetOf(bank, asked)
  const receivedAt = bank.clock.now() - asked.secondsAgo * 1_000
  const obstacle = target.charge && obstacleOf(target.charge, receivedAt)
  if (obstacle !== undefined && !asked.force) {
    throw new ControlRefusal(409, `A payer's bank would refuse this: ${obstacle}. With "force": true it is paid.`)
  }
  const price = priceOf(target, asked.amount === undefined ? undefined : fromDecimal(asked.amount), receivedAt)
  const fee = asked.fee === undefined ? undefined : fromDecimal(asked.fee)
  return receivePix(bank, { ...receiverOf(target), ...price, payer: asked.payer, fee, receivedAt })
}

/** What payers do, and what the PSP does with charges. */
export const paymentControls = (app: ControlServer, bank: Bank): void => {
  app.post(
    '/control/payments',
    { ...about('a payer pays: {txid | brCode | key, amount?, payer?, force?, fee?, secondsAgo?}'), schema: { body } },
    async (request, reply) => {
      const pix = pay(bank, request.body)
      reply.code(201)
      return { merchant: pix.merchantId, pix: pixView(bank, pix) }
    },
  )

  app.post(
    '/control/charges/:txid/remove',
    {
      ...about('the PSP removes a charge: {merchant?}'),
      schema: {
        params: z.object({ txid: z.string().max(35) }),
        body: z.strictObject({ merchant: z.string().optional() }).optional(),
      },
    },
    async (request) => {
      const charge = chargeBy(
        bank,
        request.params.txid,
        request.body?.merchant && merchantBy(bank, request.body.merchant).id,
      )
      if (charge.status !== 'ATIVA') throw new ControlRefusal(409, `The charge is ${charge.status}.`)
      return chargeView(bank, removeByPsp(bank, charge))
    },
  )
}
