import { runPixJobs } from '../../support/psp/pix-app.ts'
import { until } from '../../support/until.ts'
import { request } from '../../support/withdrawals.ts'
import { hear, later, pick, reais } from './steps.ts'
import { agree, type Payment, type Received, type World } from './world.ts'

type Claimable = { payment: Payment; pix: Received }

const claimable = (world: World): Claimable | undefined => {
  const payment = pick(world, ({ paidBy, hasClaim }) => paidBy !== undefined && !hasClaim && paidBy.backAmount === 0)
  return payment?.paidBy === undefined ? undefined : { payment, pix: payment.paidBy }
}

/** The PSP sends part of a Pix back by itself: a lost dispute. */
export const sendBackByPsp = async (world: World): Promise<void> => {
  const found = claimable(world)
  if (found === undefined) return
  const { payment, pix } = found
  const amount = world.random.between(1, pix.amount)
  const asked = { amount: reais(amount), nature: 'MED_OPERACIONAL' }
  await world.psp.control.must('POST', `/pix/${pix.endToEndId}/refunds`, asked)
  pix.backAmount += amount
  payment.hasClaim = true
  await hear(world, true)
  // The end of a claim that came with its beginning waits for it, like a callback that came too early.
  await later(world, [])
  await later(world, ['processProviderEvents', 'processProviderEvents'])
}

/** A payer claims a fraud: what is claimed is blocked until the PSP has decided. */
export const claim = async (world: World): Promise<void> => {
  const found = claimable(world)
  if (found === undefined) return
  const { payment, pix } = found
  const amount = world.random.between(1, pix.amount)
  const asked = { e2eId: pix.endToEndId, amount: reais(amount) }
  const { idInfracao } = await world.psp.control.must('POST', '/infractions', asked)
  payment.hasClaim = true
  payment.openClaim = { id: idInfracao as string, amount }
  await later(world, ['readInfractions'])
}

/** The PSP decides a claim, for the payer or for the seller. */
export const decide = async (world: World): Promise<void> => {
  const payment = pick(world, ({ openClaim }) => openClaim !== undefined)
  if (payment?.openClaim === undefined || payment.paidBy === undefined) return
  const { id, amount } = payment.openClaim
  const isLost = world.random.chance(0.5)
  world.trace.push(`  ${isLost ? 'lost' : 'won'}, ${payment.id}`)
  await world.psp.control.must('POST', `/infractions/${id}`, { status: isLost ? 'ACEITA' : 'REJEITADA' })
  payment.openClaim = undefined
  if (isLost) payment.paidBy.backAmount += amount
  await later(world, ['readReceivedPix', 'readInfractions', 'readInfractions'])
  await later(world, ['processProviderEvents'])
}

const OUTCOMES = ['completed', 'completed', 'failed', 'refused', 'returned'] as const

/** Somebody else's, by the PSP's directory. */
const OTHERS_KEY = 'outra@example.com'

/** A seller withdraws: it is paid, fails at the PSP, goes to a key of somebody else, or comes back. */
export const payOut = async (world: World): Promise<void> => {
  const { app, psp, random, seller } = world
  const outcome = random.pick(OUTCOMES)
  world.trace.push(`  ${outcome}`)
  const pixKey = outcome === 'refused' ? OTHERS_KEY : 'financeiro@padaria.com.br'
  const { status, body } = await request(app, seller, { amount: random.between(100, 5_000), pixKey })
  // Too little is there, or too much has gone out today.
  if (status === 422) return
  agree('the answer to a withdrawal', status, 201)
  await psp.control.must('PUT', `/keys/${OTHERS_KEY}`, { name: 'Outra', document: '11144477735' })
  if (outcome === 'failed') await psp.control.must('PATCH', '/settings', { payouts: { outcome: 'fail', count: 1 } })
  await runPixJobs(app, ['payWithdrawals'])
  const read = async () => (await app.api.get(`withdrawals/${body.id}`, { token: seller.token })).body
  const done = await until('the payout has an end', async () => {
    await later(world, ['reconcilePayouts'])
    const found = await read()
    return found.status !== 'processing' && found
  })
  const isPaid = outcome === 'completed' || outcome === 'returned'
  agree('where the withdrawal stands', done.status, isPaid ? 'completed' : 'failed')
  if (outcome === 'returned') {
    await psp.control.must('POST', `/payouts/${body.id.replaceAll('-', '')}/return`, {})
    await until('the payout has come back', async () => (await read()).status === 'returned')
  } else if (isPaid) world.paidOutAmount += done.netAmount
}
