import type { Answer, Link, LinkTerms, Method } from './book.ts'
import { ok, refused } from './book.ts'
import { expectLinks, expectPublicLink, expectPublicPayment, linkView, publicPaymentView } from './link-views.ts'
import { editLink, type LinkEdit, linkRefusal } from './links.ts'
import { type Asked, makePayment } from './payments.ts'
import { expectReply, Mismatch, note, type Shop, sendNamed } from './shop.ts'
import { PAYER, pickAmount, pickCard } from './steps-payments.ts'
import { expectPayment, timeOf } from './views.ts'

const RECENT = 6
const HOUR_MS = 3_600_000
/** As long as a Pix of a link can be paid. */
const PIX_EXPIRY_SECONDS = 3_600

const METHODS: readonly [Method, ...Method[]] = ['pix', 'boleto', 'credit_card']

const pickLink = ({ seller, random }: Shop, fits: (link: Link) => boolean = () => true): Link | undefined => {
  const seen = seller.links.filter((link) => link.hash !== '' && fits(link)).slice(-RECENT)
  return seen[random.between(0, seen.length - 1)]
}

/** Half past an hour, so that no jump of the clock ends in the very moment. */
const pickExpiry = ({ random, world }: Shop): number => world.nowMs + random.between(1, 200) * HOUR_MS + HOUR_MS / 2

const newTerms = (shop: Shop): LinkTerms => {
  const { random } = shop
  const methods = random.pick<readonly Method[]>([['pix'], ['pix'], ['pix', 'boleto'], ['credit_card', 'pix'], METHODS])
  const isFixed = random.chance(0.6)
  const isBounded = !isFixed && random.chance(0.5)
  return {
    amount: isFixed ? pickAmount(shop) : null,
    minAmount: isBounded ? random.between(1, 500) : null,
    maxAmount: isBounded ? random.between(500, 50_000) : null,
    methods,
    maxInstallments: methods.includes('credit_card') ? random.between(1, 6) : 1,
    maxPayments: random.pick([null, 1, 1, 2, 3, 5]),
    expiresAtMs: random.chance(0.5) ? pickExpiry(shop) : null,
  }
}

const bodyOf = ({ expiresAtMs, ...terms }: LinkTerms) => ({
  title: 'Camiseta azul',
  ...terms,
  expiresAt: timeOf(expiresAtMs),
})

export const createLink = async (shop: Shop): Promise<void> => {
  const { random, seller, world } = shop
  const terms = newTerms(shop)
  note(shop, JSON.stringify(terms))
  const body = bodyOf(terms)
  const act = (id: string): Answer => {
    if (!seller.isApproved) return refused(403, 'seller.not_approved')
    if ((terms.expiresAtMs ?? Number.POSITIVE_INFINITY) <= world.nowMs) return refused(400, 'validation.failed')
    const link: Link = { id, hash: '', terms, status: 'active', paymentsCount: 0, paidAmount: 0 }
    seller.links.push(link)
    return ok(201, linkView(link))
  }
  const key = `link-${random.between(0, 1e12)}`
  await sendNamed(shop, { path: 'payment-links', key, body, mistakenBody: { ...body, title: 'Camiseta verde' }, act })
  await expectLinks(shop)
}

/** Pauses a link, takes it up again, or moves one of its terms. */
const pickEdit = (shop: Shop, { terms }: Link): LinkEdit => {
  const { random, world } = shop
  const what = random.pick(['pause', 'resume', 'resume', 'limit', 'limit', 'expiry', 'amount'])
  if (what === 'pause') return { terms, status: 'inactive' }
  if (what === 'resume') return { terms, status: 'active' }
  if (what === 'limit') return { terms: { ...terms, maxPayments: random.pick([null, 1, 2, 3, 4, 6, 8]) } }
  if (what === 'amount') return { terms: { ...terms, amount: pickAmount(shop), minAmount: null, maxAmount: null } }
  const expiresAtMs = random.pick([pickExpiry(shop), pickExpiry(shop), null, world.nowMs - HOUR_MS])
  return { terms: { ...terms, expiresAtMs } }
}

const deleteLink = async ({ client, account }: Shop, link: Link): Promise<void> => {
  const reply = await client.delete(`payment-links/${link.id}`, { as: account })
  const wasThere = link.status !== 'deleted'
  link.status = 'deleted'
  // Cut off after it was done: the repeat finds it deleted.
  if (wasThere && reply.wasCut && reply.status === 404) return
  expectReply('delete link', reply, wasThere ? ok(204) : refused(404, 'payment_link.not_found'))
}

export const changeLink = async (shop: Shop): Promise<void> => {
  const { random, client, account, seller, world } = shop
  const link = pickLink(shop)
  if (link === undefined) return
  if (random.chance(0.1)) {
    note(shop, `${link.id} deleted`)
    await deleteLink(shop, link)
  } else {
    const edit = pickEdit(shop, link)
    note(shop, `${link.id} ${JSON.stringify(edit)}`)
    const body = { ...bodyOf(edit.terms), ...(edit.status ? { status: edit.status } : {}) }
    const reply = await client.put(`payment-links/${link.id}`, { as: account, body })
    const refusal = editLink(seller, link, edit, world.nowMs)
    expectReply('edit link', reply, refusal ? refused(...refusal) : ok(200, linkView(link)))
  }
  await expectPublicLink(shop, link)
  await expectLinks(shop)
}

type Body = Asked & { customer?: object }

const pay = ({ seller, world, platform }: Shop, link: Link, body: Body, id: string): Answer => {
  const refusal = linkRefusal(seller, link, { installments: 1, ...body })
  if (refusal) return refused(...refusal)
  const payment = makePayment(world, seller, { ...body, expiresInSeconds: PIX_EXPIRY_SECONDS }, { id, link })
  return payment ? ok(201, publicPaymentView(payment, platform.isExact)) : refused(422, 'fee.not_configured')
}

const newBody = (shop: Shop, { terms }: Link): Body => {
  const { random } = shop
  const { minAmount, maxAmount, methods } = terms
  const fitting = terms.amount ?? random.between(minAmount ?? 1, maxAmount ?? 50_000)
  const amount = random.chance(0.9) ? fitting : random.between(1, 60_000)
  const method = random.chance(0.9) ? (methods[random.between(0, methods.length - 1)] ?? 'pix') : random.pick(METHODS)
  if (method === 'pix') return { method, amount }
  const customer = { ...PAYER, email: 'francisco@example.com' }
  if (method === 'boleto') return { method, amount, customer }
  return { method, amount, customer, installments: random.between(1, 4), cardToken: pickCard(shop) }
}

/** Somebody whom nobody knows pays through a link, whatever state it is in. */
export const payLink = async (shop: Shop): Promise<void> => {
  const { random, seller } = shop
  const link = pickLink(shop, ({ status }) => status === 'active' || random.chance(0.2))
  if (link === undefined) return
  const body = newBody(shop, link)
  note(shop, `${link.id} ${JSON.stringify(body)}`)
  const key = `payer-${random.between(0, 1e12)}`
  const path = `payment-links/${link.hash}/payments`
  const act = (id: string): Answer => pay(shop, link, body, id)
  const { status } = await sendNamed(shop, { by: null, path, key, body, act })
  const payment = seller.payments.at(-1)
  if (status === 201 && payment) {
    await expectPayment(shop, payment)
    await expectPublicPayment(shop, payment)
  }
  await expectLinks(shop)
}

/** Payers at the same moment: exactly as many are let in as there are places. */
export const payLinkAtOnce = async (shop: Shop): Promise<void> => {
  const { random, client } = shop
  const link = pickLink(shop, ({ terms }) => terms.maxPayments !== null && terms.methods.includes('pix'))
  if (link === undefined) return
  const count = random.between(2, 6)
  const body: Body = { method: 'pix', amount: link.terms.amount ?? link.terms.minAmount ?? 1_000 }
  note(shop, `${count} on ${link.id}`)
  const replies = await Promise.all(
    Array.from({ length: count }, (_, index) => {
      const key = `crowd-${random.between(0, 1e12)}-${index}`
      return client.post(`payment-links/${link.hash}/payments`, { key, body })
    }),
  )
  const accepted = replies.filter(({ status }) => status === 201).sort((a, b) => (a.body.id < b.body.id ? -1 : 1))
  const others = replies.filter(({ status }) => status !== 201)
  for (const reply of [...accepted, ...others]) {
    const expected = pay(shop, link, body, reply.body?.id ?? '')
    if (reply.status !== expected.status) throw new Mismatch(`${count} payers: ${replies.map(({ text }) => text)}`)
    expectReply('one of several payers', reply, expected)
  }
  await expectLinks(shop)
}
