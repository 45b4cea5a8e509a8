import { newPaymentOf } from '../../src/areas/payments/payments.requests.ts'
import { createPaymentBody } from '../../src/areas/payments/payments.schemas.ts'
import type { Demo, DemoSeller } from './demo-platform.ts'
import type { Random } from './random.ts'

/** Something that a payer or a seller will do with a payment, on a day of the story. */
export type Deed = { day: number; act: (demo: Demo) => Promise<unknown> }

const HOUR_SECONDS = 3_600

// By the sandbox's rules the last digit of a token decides: 0, 1 and 4 are approved, 2 and 5 refused.
const cardTokenOf = (random: Random): string => {
  const outcome = random.chance(0.12) ? random.pick(['2', '5']) : random.pick(['0', '1', '4'])
  return `tok_demo_${random.between(100, 999)}${outcome}`
}

const methodOf = (random: Random) => {
  if (random.chance(0.55)) {
    const patience = random.pick([1, 24]) * HOUR_SECONDS
    return { method: 'pix' as const, expiresInSeconds: patience }
  }
  if (random.chance(0.35)) return { method: 'boleto' as const }
  const installments = random.chance(0.5) ? 1 : random.between(2, 12)
  const capture = random.chance(0.85)
  return { method: 'credit_card' as const, cardToken: cardTokenOf(random), installments, capture }
}

type Sold = { seller: DemoSeller; id: string; day: number; random: Random }

const cancel = ({ seller, id, day }: Sold): Deed => ({
  day,
  act: ({ services }) => services.payments.cancel(seller.actor, id),
})
const pay = ({ seller, id }: Sold, day: number): Deed => ({
  day,
  act: ({ sandbox }) => sandbox.pay(seller.actor, id, undefined),
})

const afterPix = (sold: Sold): Deed[] => {
  const { random, seller, id, day } = sold
  if (random.chance(0.82)) return [pay(sold, day)]
  if (random.chance(0.25)) return [cancel(sold)]
  return random.chance(0.2) ? [{ day, act: ({ sandbox }) => sandbox.fail(seller.actor, id) }] : []
}

const afterBoleto = (sold: Sold): Deed[] => {
  const { random, day } = sold
  if (random.chance(0.7)) return [pay(sold, day + random.between(1, 3))]
  return random.chance(0.2) ? [cancel(sold)] : []
}

const afterAuthorization = (sold: Sold): Deed[] => {
  const { random, seller, id, day } = sold
  if (random.chance(0.2)) return [cancel({ ...sold, day: day + 1 })]
  // One that nobody captures runs out by itself.
  if (random.chance(0.1)) return []
  return [{ day: day + 2, act: ({ services }) => services.payments.capture(seller.actor, id, null) }]
}

/** One sale at the demo's time. Answers what follows from it. */
export const sell = async (demo: Demo, seller: DemoSeller, day: number, random: Random): Promise<Deed[]> => {
  const { ticket, sells, slug } = seller.shop
  const [first = '', ...others] = seller.customerIds
  const body = createPaymentBody.parse({
    ...methodOf(random),
    amount: random.between(ticket[0], ticket[1]),
    customerId: random.pick([first, ...others]),
    description: sells,
    externalReference: `${slug}-${random.between(10_000, 99_999)}`,
    metadata: { channel: random.pick(['site', 'app', 'loja']) },
  })
  const payment = await demo.services.payments.create(seller.actor.userId, newPaymentOf(body), undefined)
  const sold = { seller, id: payment.id, day, random }
  if (payment.status === 'authorized') return afterAuthorization(sold)
  if (payment.method === 'credit_card') return []
  return payment.method === 'pix' ? afterPix(sold) : afterBoleto(sold)
}
