import { readdir, readFile, stat, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../support/app.ts'
import { registerSeller, type Seller } from '../../support/factories.ts'
import { askFor, forgetMails, mailRows, passwordChanged, sendAll, verification } from '../../support/mails.ts'

let app: TestApp
let seller: Seller
beforeAll(async () => {
  app = await startTestApp()
  seller = await registerSeller(app)
  // The one that verifies their address.
  await forgetMails(app)
})
afterAll(() => app.close())

const folder = (): string => join(app.config.dataDir, 'mail')
const page = (path = '') => app.api.get(`/dev/mail${path}`)

test('200: before the first mail the page says how it comes that none is sent', async () => {
  const { status, text, headers } = await page()
  expect([status, headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8'])
  expect(text).toContain('Without SMTP_URL nothing is sent')
  expect(text).toContain('There is none yet.')
})

test('200: mails are files that only their owner reads, and are shown newest first', async () => {
  await askFor(app, verification('new@example.com', 'tok'))
  await sendAll(app.services.jobs.sendMails)
  await askFor(app, passwordChanged(seller.id))
  await sendAll(app.services.jobs.sendMails)
  const [first, second] = await mailRows(app)
  expect([first?.status, second?.status]).toEqual(['sent', 'sent'])
  expect((await readdir(folder())).sort()).toEqual([`${first?.id}.eml`, `${second?.id}.eml`])
  const { mode } = await stat(join(folder(), `${first?.id}.eml`))
  expect(mode & 0o777).toBe(0o600)
  const { text } = await page()
  expect(text.indexOf('Sua senha foi alterada')).toBeGreaterThan(0)
  expect(text.indexOf('Sua senha foi alterada')).toBeLessThan(text.indexOf('Confirme seu e-mail'))
  expect(text).toContain('new@example.com')

  const shown = await page(`/${first?.id}`)
  expect(shown.text).toContain(`${app.url}/account/verify-email#token=tok`)
  expect(shown.headers.get('content-security-policy')).toMatch(/^default-src 'none'/)
  const plain = await page(`/${first?.id}/text`)
  expect(plain.headers.get('content-type')).toBe('text/plain; charset=utf-8')
  expect(plain.text).toContain(`${app.url}/account/verify-email#token=tok`)
  expect(await readFile(join(folder(), `${first?.id}.eml`), 'utf8')).toContain('Auto-Submitted: auto-generated')
})

test('404: what is no mail of the folder', async () => {
  await writeFile(join(app.config.dataDir, 'secret.eml'), 'Subject: hidden\r\n\r\nhidden')
  for (const path of ['/nothing', '/..%2Fsecret', '/%2E%2E%2Fsecret', `/${'a'.repeat(100)}`]) {
    const { status, text } = await page(path)
    expect([path, status]).toEqual([path, 404])
    expect(text).not.toContain('hidden')
    expect((await page(`${path}/text`)).status).toBe(404)
  }
})

test('a file that is no mail breaks nothing', async () => {
  await writeFile(join(folder(), 'zzz.eml'), '')
  await writeFile(join(folder(), 'notes.txt'), 'x')
  await symlink('/nowhere', join(folder(), 'zzzz.eml'))
  expect((await page()).status).toBe(200)
})

test('the page is nowhere in the document, and absent where mails are sent or kept', async () => {
  expect((await app.api.get('/openapi.json')).text).not.toContain('/dev/mail')
  const sending = await startTestApp({ SMTP_URL: 'smtp://127.0.0.1:1', MAIL_FROM: 'no-reply@example.com' })
  expect((await sending.api.get('/dev/mail')).status).toBe(404)
  await sending.close()
})
