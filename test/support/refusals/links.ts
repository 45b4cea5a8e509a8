import { randomUUID } from 'node:crypto'
import { pdfBytes } from '../company.ts'
import { registerSeller } from '../factories.ts'
import { fileForm, imageBytes } from '../images.ts'
import { card, createLink, payLink, postLink, postLinkPayment, putLink } from '../payment-links.ts'
import { ok, type Refusal, type Refusals, type World, withoutPixFee } from './world.ts'

const deletedLink = async ({ app, seller }: World) => {
  const link = await createLink(app, seller)
  ok(await app.api.delete(`payment-links/${link.id}`, { token: seller.token }))
  return link
}

const oneTime = ({ app, seller }: World) => createLink(app, seller, { maxPayments: 1 })

const unknownPayment =
  (suffix: string): Refusal =>
  async ({ app, seller }) => {
    const { hash } = await createLink(app, seller)
    return app.api.get(`payment-links/${hash}/payments/${randomUUID()}${suffix}`)
  }

/** A link whose row says something else by the time somebody pays. */
const changed =
  (change: string, fields = {}): Refusal =>
  async ({ app, seller }) => {
    const link = await createLink(app, seller, fields)
    await app.sql.query(`update payment_links set ${change} where id = $1`, [link.id])
    return postLinkPayment(app, link)
  }

export const linkRefusals: Refusals = {
  'PUT /branding/logo branding.logo_type_not_supported': ({ app, seller }) =>
    app.api.put('branding/logo', { token: seller.token, body: fileForm(pdfBytes()) }),
  'PUT /branding/logo branding.logo_dimensions': ({ app, seller }) =>
    app.api.put('branding/logo', { token: seller.token, body: fileForm(imageBytes({ width: 16 })) }),
  'PUT /branding/logo branding.quota_reached': async ({ app }) => {
    const { id, token } = await registerSeller(app)
    await app.sql.query(
      `insert into seller_logos select gen_random_uuid(), $1, 'image/png', 1, '', 64, 64, now(), now() from generate_series(1, 10)`,
      [id],
    )
    return app.api.put('branding/logo', { token, body: fileForm(imageBytes()) })
  },
  'POST /payment-links seller.not_approved': async ({ app }) => postLink(app, await registerSeller(app)),
  'PUT /payment-links/{id} payment_link.limit_too_low': async ({ app, seller }) => {
    const link = await createLink(app, seller, { maxPayments: 2 })
    await payLink(app, link)
    await payLink(app, link)
    return putLink(app, seller, link, { maxPayments: 1 })
  },
  'GET /payment-links/{id} payment_link.deleted': async (world) =>
    world.app.api.get(`payment-links/${(await deletedLink(world)).hash}`),
  'GET /payment-links/{hash}/qr-code payment_link.deleted': async (world) =>
    world.app.api.get(`payment-links/${(await deletedLink(world)).hash}/qr-code`),
  'GET /payment-links/{hash}/payments/{id} payment.not_found': unknownPayment(''),
  'GET /payment-links/{hash}/payments/{id}/events payment.not_found': unknownPayment('/events'),
  'POST /payment-links/{hash}/payments payment_link.deleted': async (world) =>
    postLinkPayment(world.app, await deletedLink(world)),
  'POST /payment-links/{hash}/payments payment_link.inactive': async ({ app, seller }) => {
    const link = await createLink(app, seller)
    ok(await putLink(app, seller, link, { status: 'inactive' }))
    return postLinkPayment(app, link)
  },
  'POST /payment-links/{hash}/payments payment_link.expired': changed("expires_at = now() - interval '1 minute'"),
  'POST /payment-links/{hash}/payments payment_link.completed': async (world) => {
    const { app, seller } = world
    const link = await oneTime(world)
    const { id } = await payLink(app, link)
    ok(await app.api.post(`sandbox/payments/${id}/pay`, { token: seller.token }))
    return postLinkPayment(app, link)
  },
  'POST /payment-links/{hash}/payments payment_link.slots_taken': async (world) => {
    const link = await oneTime(world)
    await payLink(world.app, link)
    return postLinkPayment(world.app, link)
  },
  'POST /payment-links/{hash}/payments payment_link.amount_changed': async ({ app, seller }) =>
    postLinkPayment(app, await createLink(app, seller), { amount: 9_999 }),
  'POST /payment-links/{hash}/payments velocity.exceeded': async ({ app, seller }) => {
    const link = await createLink(app, seller)
    const declined = () => postLinkPayment(app, link, card('tok_often_0002'))
    for (let count = 0; count < 5; count += 1) await declined()
    return declined()
  },
  'POST /payment-links/{hash}/payments fee.not_configured': async ({ app, seller }) => {
    const link = await createLink(app, seller)
    return withoutPixFee(app, () => postLinkPayment(app, link))
  },
}
