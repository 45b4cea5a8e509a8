import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../support/app.ts'
import type { Seller } from '../support/factories.ts'
import { fileForm, imageBytes } from '../support/images.ts'
import { createLink, payLink, sellerWithLink } from '../support/payment-links.ts'
import { openPage } from '../support/payment-pages.ts'
import { pay } from '../support/payments.ts'

let app: TestApp
let seller: Seller
let logo: { url: string }

beforeAll(async () => {
  app = await startTestApp()
  ;({ seller } = await sellerWithLink(app))
  const { token } = seller
  await app.api.put('branding', { token, body: { color: '#7a1fa2' } })
  ;({ logo } = (
    await app.api.put('branding/logo', { token, body: fileForm(imageBytes({ width: 128, height: 64 })) })
  ).body)
})
afterAll(() => app.close())

const styleOf = (text: string): string => /\/pay\/colors\/[\w-]+\.css/.exec(text)?.[0] ?? ''

test('200: form, receipt, ended link and poster have the seller’s logo and colour, by paths that the policy lets in', async () => {
  const open = await createLink(app, seller)
  const paid = await createLink(app, seller, { maxPayments: 1 })
  const { id } = await payLink(app, paid)
  await pay(app, seller, id)
  const paths = [open.hash, paid.hash, `${paid.hash}/payments/${id}`, `${open.hash}/poster`]
  for (const path of paths) {
    const { text, headers } = await openPage(app, `/pay/${path}`)
    const image = `<img class="logo" src="${new URL(logo.url).pathname}" alt="" width="128" height="64">`
    expect([path, text.includes(image), styleOf(text).startsWith('/pay/colors/7a1fa2-')]).toEqual([path, true, true])
    expect(headers.get('content-security-policy')).toContain("style-src 'self'; img-src 'self'")
    expect(text).not.toContain('style=')
  }
})

test('200: who gets a link sent sees the logo beside it', async () => {
  const { hash } = await createLink(app, seller)
  expect((await openPage(app, `/pay/${hash}`)).text).toContain(`<meta property="og:image" content="${logo.url}">`)
})

test('200: the style sheet of a colour is kept for ever under a name that changes with it; no other name is served', async () => {
  const { hash } = await createLink(app, seller)
  const path = styleOf((await openPage(app, `/pay/${hash}`)).text)
  const style = await fetch(`${app.url}${path}`)
  expect([style.status, style.headers.get('content-type')]).toEqual([200, 'text/css; charset=utf-8'])
  expect(style.headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
  expect(await style.text()).toContain('--fill:#7a1fa2')
  for (const name of ['7a1fa2-000000000000.css', '7a1fa2.css', 'red}body{-000000000000.css'])
    expect((await fetch(`${app.url}/pay/colors/${encodeURIComponent(name)}`)).status).toBe(404)
})

test('200: who has chosen nothing keeps the platform’s colour and the first letter of the name', async () => {
  const { hash } = (await sellerWithLink(app)).link
  const { text } = await openPage(app, `/pay/${hash}`)
  expect(text).toContain('<span class="monogram"')
  for (const part of ['/pay/colors/', '/pay/logos/', 'og:image']) expect(text).not.toContain(part)
})
