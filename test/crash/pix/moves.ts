import type { Shop } from '../../model/shop.ts'
import { CALLBACK_SECRET } from '../../support/psp/pix-provider.ts'
import { create, expectStatus, named, PIX, send } from '../moves.ts'
import type { PixStage } from './stage.ts'

const RECEIVER = { pixKeyType: 'email', pixKey: 'financeiro@padaria.com.br' }

/** A Pix as the PSP shows it. */
export type Pix = Record<string, unknown> & { endToEndId: string }

/** What a payout is called at the PSP: our id without its hyphens. */
export const pspId = (id: string): string => id.replaceAll('-', '')

/** The PSP calls back about a Pix or a payout, until somebody has heard it. */
export const tell = async ({ client, settle }: PixStage, told: Record<string, unknown>): Promise<void> => {
  const path = `/callbacks/efi/pix?hmac=${CALLBACK_SECRET}`
  expectStatus(await client.post(path, { body: { pix: [told] } }), 200)
  await settle()
}

/** A payer pays a payment of ours. */
export const pay = async ({ psp, pool }: PixStage, id: string, more: object = {}): Promise<Pix> => {
  const found = `select reference from provider_references where kind = 'charge' and resource_id = $1`
  const { rows } = await pool.query(found, [id])
  return psp.control.pay({ txid: rows[0].reference, ...more })
}

/** Somebody pays the platform's key, and no charge. */
export const payKey = ({ psp }: PixStage): Promise<Pix> => psp.control.pay({ key: psp.client.key, amount: '33.00' })

/** A payment of 100 reais that is paid. */
export const paid = async (stage: PixStage, shop: Shop): Promise<{ id: string; pix: Pix }> => {
  const id = await create(shop, PIX)
  const pix = await pay(stage, id)
  await tell(stage, pix)
  return { id, pix }
}

type PspOutcome = 'settle' | 'fail' | 'hang'

/** A payment of 100 reais of which 40 are to go back, at a PSP that does with refunds as it is told to. */
export const refunding = async (stage: PixStage, shop: Shop, outcome: PspOutcome): Promise<Pix> => {
  await stage.psp.control.must('PATCH', '/settings', { refunds: { outcome } })
  const { id, pix } = await paid(stage, shop)
  await send(shop, named(`payments/${id}/refunds`, { amount: 4_000 }))
  return pix
}

/** An approved withdrawal of 50 reais, at a PSP that does with payouts as it is told to. */
export const withdrawing = async (stage: PixStage, shop: Shop, outcome: PspOutcome = 'settle'): Promise<string> => {
  const { client, admin, psp } = stage
  await psp.control.must('PATCH', '/settings', { payouts: { outcome } })
  await paid(stage, shop)
  const { id } = (await send(shop, named('withdrawals', { amount: 5_000, ...RECEIVER }))).body
  expectStatus(await client.post(`admin/withdrawals/${id}/approve`, { as: admin }), 200)
  return id
}

/** The same, sent to the PSP. */
export const sent = async (stage: PixStage, shop: Shop, outcome?: PspOutcome): Promise<string> => {
  const id = await withdrawing(stage, shop, outcome)
  await stage.run('payWithdrawals')
  return id
}

/** Somebody else has the key that withdrawals of this sweep go to. */
export const giveKeyAway = async ({ psp }: PixStage): Promise<void> => {
  await psp.control.must('PUT', `/keys/${RECEIVER.pixKey}`, { name: 'Outra', document: '11144477735' })
}

/** What a payer claims as a fraud. Answers its name at the PSP. */
export const claimed = async (stage: PixStage, shop: Shop): Promise<string> => {
  const { pix } = await paid(stage, shop)
  const { idInfracao } = await stage.psp.control.must('POST', '/infractions', { e2eId: pix.endToEndId })
  return idInfracao as string
}

/** The same, heard of. */
export const disputed = async (stage: PixStage, shop: Shop): Promise<string> => {
  const claim = await claimed(stage, shop)
  await stage.run('readInfractions')
  return claim
}
