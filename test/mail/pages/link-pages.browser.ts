import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../support/app.ts'
import { findChromium, startChromium } from '../../support/chromium.ts'
import { newEmail, registerSeller } from '../../support/factories.ts'
import { awaitToken } from '../../support/mailbox.ts'
import { sendAll } from '../../support/mails.ts'
import { inspect } from '../../support/pages.ts'

const chromium = findChromium()
const NEW = 'outro café com leite'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.close())

test('200: a page is there for each link, in the language of the browser, and its address goes nowhere', async () => {
  for (const page of ['verify-email', 'confirm-email', 'reset-password', 'accept-invitation']) {
    const { status, text, headers } = await app.api.get(`/account/${page}?token=tok-of-the-link`, {
      headers: { 'accept-language': 'en' },
    })
    expect([page, status]).toEqual([page, 200])
    expect(text).toContain('<html lang="en">')
    expect(text).not.toContain('tok-of-the-link')
    expect([headers.get('referrer-policy'), headers.get('cache-control')]).toEqual(['no-referrer', 'no-store'])
    expect((await app.api.get(`/account/${page}`)).text).toContain('<html lang="pt-BR">')
  }
})

test('a browser is there where browser tests are mandatory', () => {
  expect(process.env.BROWSER_TESTS === 'required' && chromium === undefined).toBe(false)
})

describe.runIf(chromium !== undefined)('the pages in a browser', () => {
  let browser: Browser
  beforeAll(async () => {
    browser = await startChromium(chromium ?? '')
  }, 60_000)
  afterAll(() => browser.close())

  const linkOf = async (email: string, page: string): Promise<string> => {
    await sendAll(app.services.jobs.sendMails)
    return `${app.url}/account/${page}#token=${await awaitToken(app.config.dataDir, email, page)}`
  }

  test('opening the link of a recovery changes nothing, its button sets the password, once', {
    timeout: 60_000,
  }, async () => {
    const { email, password } = await registerSeller(app)
    await app.api.post('auth/password/forgot', { body: { email } })
    const link = await linkOf(email, 'reset-password')
    const complaints: string[] = []
    const page = await browser.newPage({ locale: 'pt-BR' })
    page.on('pageerror', (error) => complaints.push(error.message))
    await page.goto(link)
    await inspect({ page }, 'reset-password')
    const login = (given: string) => app.api.post('auth/login', { body: { email, password: given } })
    expect((await login(password)).status).toBe(200)
    await page.fill('input', 'password')
    await page.click('button')
    await page.waitForSelector('text=This password is among the first')
    await page.fill('input', NEW)
    await page.click('button')
    await page.waitForSelector('text=Pronto: entre com a nova senha.')
    expect([(await login(password)).status, (await login(NEW)).status]).toEqual([401, 200])
    await page.reload()
    await page.fill('input', 'um terceiro café preto')
    await page.click('button')
    await page.waitForSelector('text=This link was used before')
    expect(complaints).toEqual([])
    await page.close()
  })

  test('the link of an invitation makes the account, with a name and a password', { timeout: 60_000 }, async () => {
    const { token } = await registerSeller(app)
    const email = newEmail()
    await app.api.post('team/invitations', { token, body: { email, name: 'Ana', role: 'viewer' } })
    const page = await browser.newPage({ locale: 'pt-BR' })
    await page.goto(await linkOf(email, 'accept-invitation'))
    await inspect({ page }, 'accept-invitation')
    await page.fill('input[name=name]', 'Ana Lima')
    await page.fill('input[name=password]', NEW)
    await page.click('button')
    await page.waitForSelector('text=Pronto: sua conta foi criada.')
    const { body } = await app.api.post('auth/login', { body: { email, password: NEW } })
    expect(body.user).toMatchObject({ name: 'Ana Lima', accessRole: 'viewer' })
    await page.close()
  })

  test('the links of a new account and of a new address are confirmed by a button', { timeout: 60_000 }, async () => {
    const email = newEmail()
    const person = { email, password: NEW, name: 'Maria', companyName: 'Padaria' }
    const { body } = await app.api.post('auth/register', { body: person })
    const token = body.tokens.accessToken
    const page = await browser.newPage({ locale: 'en' })
    await page.goto(await linkOf(email, 'verify-email'))
    await page.click('button')
    await page.waitForSelector('text=Done: your e-mail is confirmed.')
    expect((await app.api.get(`users/${body.user.id}`, { token })).body.emailVerifiedAt).toMatch(/^20/)
    const changed = newEmail()
    await app.api.put(`users/${body.user.id}/email`, { token, body: { email: changed } })
    await page.goto(await linkOf(changed, 'confirm-email'))
    await page.click('button')
    await page.waitForSelector('text=log in with the new e-mail')
    expect((await app.api.get(`users/${body.user.id}`, { token })).body.email).toBe(changed)
    await page.close()
  })
})
