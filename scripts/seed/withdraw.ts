import { requestWithdrawalBody } from '../../src/areas/withdrawals/withdrawals.schemas.ts'
import { type Demo, type DemoSeller, keyOf } from './demo-platform.ts'
import { emailOf } from './open-shops.ts'
import type { Random } from './random.ts'
import type { Deed } from './sell.ts'

const SMALLEST = 5_000

/** By the sandbox's rules: payouts of …92 centavos are refused, …91 stay without an answer, all others complete. */
type Course = 'completed' | 'refused' | 'unanswered' | 'returned' | 'rejected' | 'canceled'

const CENTS: Partial<Record<Course, number>> = { refused: 92, unanswered: 91 }

const COURSES = [
  'completed',
  'completed',
  'completed',
  'completed',
  'refused',
  'returned',
  'rejected',
  'completed',
  'canceled',
  'completed',
  'unanswered',
] as const

const ask = async ({ services, clock }: Demo, { actor, shop }: DemoSeller, share: number, cents: number) => {
  const { available } = await services.read.ledger.findBalances(actor.userId)
  const amount = Math.floor((available * share) / 10_000) * 100 + cents
  if (amount < SMALLEST || amount > available) return undefined
  const body = requestWithdrawalBody.parse({ amount, pixKeyType: 'email', pixKey: emailOf(shop) })
  const key = `saque-${clock.now().toISOString()}`
  return services.withdrawals.request(actor, body, keyOf(actor, 'POST /api/v1/withdrawals', key))
}

const decide = async ({ services, admin }: Demo, seller: DemoSeller, id: string, course: Course): Promise<void> => {
  if (course === 'canceled') await services.withdrawals.cancel(seller.actor, id)
  else if (course === 'rejected') await services.withdrawals.reject(admin, id, 'A chave não é da empresa.')
  else await services.withdrawals.approve(admin, id)
}

/** A seller asks for a part of what is available. Answers what follows: usually a decision on the next day. */
export const withdraw = async (demo: Demo, seller: DemoSeller, day: number, round: number): Promise<Deed[]> => {
  const course = COURSES[round % COURSES.length] ?? 'completed'
  const asked = await ask(demo, seller, 70, CENTS[course] ?? 0)
  if (asked === undefined) return []
  const { id, status } = asked
  const deeds: Deed[] = []
  if (status === 'pending_approval') deeds.push({ day: day + 1, act: () => decide(demo, seller, id, course) })
  const settles = course === 'returned' ? 'returned' : 'completed'
  if (course === 'returned' || course === 'unanswered') {
    deeds.push({ day: day + 3, act: ({ sandbox }) => sandbox.settlePayout(seller.actor, id, settles) })
  }
  return deeds
}

/** A request that nobody has decided on yet. */
export const leaveWaiting = async (demo: Demo, seller: DemoSeller, random: Random): Promise<void> => {
  await ask(demo, seller, random.between(20, 40), 0)
}
