import { expectStatus, named, type Operation, send } from '../moves.ts'
import { claimed, disputed, giveKeyAway, paid, payKey, pspId, refunding, sent, tell, withdrawing } from './moves.ts'
import { AGAIN_HOURS, type PixStage } from './stage.ts'

const BACK: readonly Operation<PixStage>[] = [
  {
    name: 'a refund is requested',
    prepare: async (stage, shop) => {
      const { id } = await paid(stage, shop)
      const request = named(`payments/${id}/refunds`, { amount: 4_000 })
      return async () => void (await send(shop, request))
    },
  },
  {
    name: 'a refund is sent',
    prepare: async (stage, shop) => {
      await refunding(stage, shop, 'settle')
      return () => stage.run('sendRefunds')
    },
  },
  {
    name: 'a refund fails at the PSP',
    prepare: async (stage, shop) => {
      await refunding(stage, shop, 'fail')
      await stage.run('sendRefunds')
      await stage.wait(AGAIN_HOURS)
      return () => stage.run('reconcileRefunds')
    },
  },
  {
    name: 'a refund is done later, and the PSP calls back',
    prepare: async (stage, shop) => {
      const { endToEndId } = await refunding(stage, shop, 'hang')
      await stage.run('sendRefunds')
      const { control, client } = stage.psp
      const { devolucoes } = (await client.call('GET', `/pix/${endToEndId}`)).body
      const [refund] = devolucoes as { rtrId: string }[]
      await control.must('POST', `/refunds/${refund?.rtrId}`, { status: 'DEVOLVIDO' })
      return async () => tell(stage, (await client.call('GET', `/pix/${endToEndId}`)).body)
    },
  },
  {
    name: 'money that is no payment goes back',
    prepare: async (stage) => {
      const { endToEndId } = await payKey(stage)
      await stage.run('readReceivedPix')
      const body = { resolution: 'refund_payer', reason: 'Not ours.' }
      const path = `admin/received-pix/${endToEndId}/resolve`
      expectStatus(await stage.client.post(path, { as: stage.admin, body }), 200)
      return () => stage.run('refundReceivedPix')
    },
  },
]

const decided = (name: string, status: string): Operation<PixStage> => ({
  name,
  prepare: async (stage, shop) => {
    await stage.psp.control.must('POST', `/infractions/${await disputed(stage, shop)}`, { status })
    return () => stage.run('readInfractions')
  },
})

const CLAIMS: readonly Operation<PixStage>[] = [
  {
    name: 'the PSP sends money back',
    prepare: async (stage, shop) => {
      const { endToEndId } = (await paid(stage, shop)).pix
      const { control, client } = stage.psp
      await control.must('POST', `/pix/${endToEndId}/refunds`, { amount: '40.00', nature: 'MED_OPERACIONAL' })
      return async () => tell(stage, (await client.call('GET', `/pix/${endToEndId}`)).body)
    },
  },
  {
    name: 'a claim is opened',
    prepare: async (stage, shop) => {
      await claimed(stage, shop)
      return () => stage.run('readInfractions')
    },
  },
  decided('a claim is accepted', 'ACEITA'),
  decided('a claim is rejected', 'REJEITADA'),
  {
    name: 'a defence is sent',
    prepare: async (stage, shop) => {
      await disputed(stage, shop)
      const { client, account } = shop
      const { body } = await client.get('disputes', { as: account })
      const defence = { text: 'O produto foi entregue, com assinatura do recebedor.' }
      const path = `disputes/${body.data[0].id}/defense`
      expectStatus(await client.post(path, { as: account, body: defence }), 200)
      return () => stage.run('sendDefenses')
    },
  },
]

const PAYOUTS: readonly Operation<PixStage>[] = [
  {
    name: 'a withdrawal is paid out',
    prepare: async (stage, shop) => {
      await withdrawing(stage, shop)
      return () => stage.run('payWithdrawals')
    },
  },
  {
    name: 'a payout is refused',
    prepare: async (stage, shop) => {
      await giveKeyAway(stage)
      await withdrawing(stage, shop)
      return () => stage.run('payWithdrawals')
    },
  },
  {
    name: 'a payout is asked about',
    prepare: async (stage, shop) => {
      await sent(stage, shop)
      await stage.wait(AGAIN_HOURS)
      return () => stage.run('reconcilePayouts')
    },
  },
  {
    name: 'a payout fails late, and the PSP calls back',
    prepare: async (stage, shop) => {
      const id = pspId(await sent(stage, shop, 'hang'))
      await stage.psp.control.must('POST', `/payouts/${id}`, { status: 'NAO_REALIZADO' })
      return () => tell(stage, { endToEndId: null, tipo: 'SOLICITACAO', gnExtras: { idEnvio: id } })
    },
  },
  {
    name: 'a payout comes back',
    prepare: async (stage, shop) => {
      const id = pspId(await sent(stage, shop))
      await stage.wait(AGAIN_HOURS)
      await stage.run('reconcilePayouts')
      await stage.psp.control.must('POST', `/payouts/${id}/return`, {})
      return () => tell(stage, { endToEndId: null, tipo: 'SOLICITACAO', gnExtras: { idEnvio: id } })
    },
  },
]

/** What leaves the account: refunds, claims and payouts. */
export const MONEY_OUT: readonly Operation<PixStage>[] = [...BACK, ...CLAIMS, ...PAYOUTS]
