import { createPaymentLinkBody } from '../../src/areas/payment-links/payment-links.schemas.ts'
import { payLinkBody } from '../../src/areas/payment-links/public-links.schemas.ts'
import { PAYMENT_METHODS } from '../../src/domain/payment.ts'
import type { Demo, DemoSeller } from './demo-platform.ts'
import { madeUpPayer } from './payers.ts'
import type { Random } from './random.ts'
import type { Deed } from './sell.ts'
import { madeUpCpf } from './tax-ids.ts'

/** How many days lie between two links of a seller. */
const EVERY_DAYS = 15
const TAKES = 4

const shareLink = ({ services }: Demo, { actor, shop }: DemoSeller, random: Random) => {
  const isOpen = random.chance(0.3)
  const body = createPaymentLinkBody.parse({
    title: isOpen ? `Vale-presente ${shop.name}` : shop.sells.slice(0, 120),
    ...(isOpen ? { minAmount: 1_000 } : { amount: random.between(shop.ticket[0], shop.ticket[1]) }),
    maxPayments: TAKES,
    maxInstallments: 6,
    successUrl: `https://${shop.slug}.example.com/obrigado`,
  })
  return services.paymentLinks.create(actor, body, undefined)
}

const payOnce = async ({ services }: Demo, hash: string, random: Random) => {
  const method = random.pick(PAYMENT_METHODS)
  const { name, email } = madeUpPayer(random)
  const { amount } = await services.publicLinks.get(hash)
  const body = payLinkBody.parse({
    method,
    amount: amount ?? random.between(1_000, 20_000),
    ...(method === 'pix' ? {} : { customer: { name, email, document: madeUpCpf(random) } }),
    ...(method === 'credit_card' ? { cardToken: `tok_demo_${random.between(100, 999)}1` } : {}),
  })
  return services.publicLinks.pay(hash, body, 'demo')
}

/** Now and then a seller shares a link, and people pay through it. Answers what is still to be paid. */
export const shareLinks = async (demo: Demo, seller: DemoSeller, day: number, random: Random): Promise<Deed[]> => {
  if (day % EVERY_DAYS !== seller.shop.slug.length % EVERY_DAYS) return []
  const { hash } = await shareLink(demo, seller, random)
  const deeds: Deed[] = []
  for (let payers = random.between(0, TAKES); payers > 0; payers -= 1) {
    const { id, status } = await payOnce(demo, hash, random)
    const pays = status === 'pending' && random.chance(0.8)
    if (pays) deeds.push({ day, act: ({ sandbox }) => sandbox.pay(seller.actor, id, undefined) })
  }
  return deeds
}
