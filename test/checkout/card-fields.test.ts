import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { looksLikeCardNumber } from '../../src/domain/luhn.ts'
import { createCardFieldsServer } from '../../src/providers/sandbox/card-fields/card-fields.server.ts'
import { cardBehind, cardOutcome } from '../../src/providers/sandbox/sandbox.cards.ts'
import { listenError } from '../../src/start/start-error.ts'
import { startTestApp, type TestApp } from '../support/app.ts'

const FOLDER = join(import.meta.dirname, '..', '..', 'src', 'providers', 'sandbox', 'card-fields')
const checks = () => import(pathToFileURL(join(FOLDER, 'card-checks.js')).href)

let app: TestApp
const addressOf = (language = 'pt'): string => app.services.cardFields?.url(language) ?? ''

beforeAll(async () => {
  app = await startTestApp()
})

afterAll(() => app.close())

describe('the server of the card fields', () => {
  test('is another origin, whose pages only this platform may frame', async () => {
    const { headers } = await fetch(addressOf())
    const policy = headers.get('content-security-policy') ?? ''
    expect(new URL(addressOf()).origin).not.toBe(app.url)
    expect(policy).toContain(`frame-ancestors ${app.url} http://localhost:${new URL(app.url).port}`)
    expect(policy.split('; ')).toContain("default-src 'none'")
    expect(policy.split('; ')).toContain("form-action 'none'")
    expect(policy).not.toContain('connect-src')
    expect(headers.get('x-frame-options')).toBeNull()
    expect(headers.get('cache-control')).toBe('no-store')
  })

  test('takes nothing in: it answers reading alone, and has no operation of the platform', async () => {
    for (const [method, path] of [
      ['POST', '/'],
      ['PUT', '/'],
      ['GET', '/api/v1/status'],
      ['GET', '/pay/x'],
      ['GET', '/%00'],
    ] as const) {
      expect([method, path, (await fetch(new URL(path, addressOf()), { method })).status]).toEqual([method, path, 404])
    }
  })

  test('speaks the language of the page around it', async () => {
    expect(await (await fetch(addressOf('pt'))).text()).toContain('Número do cartão')
    expect(await (await fetch(addressOf('en'))).text()).toContain('Card number')
    expect(await (await fetch(addressOf('"><script>'))).text()).not.toContain('<script>')
  })

  test('moves to a free port where its own is taken, unless its address is fixed', async () => {
    const taken = createServer().listen(0, '127.0.0.1')
    await once(taken, 'listening')
    const { port } = taken.address() as AddressInfo
    const options = {
      host: '127.0.0.1',
      port,
      addressOf: (at: number) => `http://127.0.0.1:${at}`,
      parents: () => [app.url],
    }
    const moving = createCardFieldsServer({ ...options, mayMove: true })
    expect(moving.url('pt')).toBeUndefined()
    await moving.listen()
    expect(moving.url('pt')).not.toContain(`:${port}/`)
    await moving.close()
    const fixed = createCardFieldsServer({ ...options, mayMove: false })
    await expect(fixed.listen()).rejects.toMatchObject({ code: 'EADDRINUSE' })
    await fixed.close()
    taken.close()
  })

  test('whose port is taken is named by its own variable', () => {
    const inUse = (port: number) => Object.assign(new Error('in use'), { code: 'EADDRINUSE', port })
    const told = (port: number) =>
      String(listenError(inUse(port), { host: '127.0.0.1', port: 3000, metrics: { port: 9464, token: undefined } }))
    expect(told(3001)).toContain(
      '127.0.0.1:3001 is in use by another process. Stop that one, or set SANDBOX_CARD_FIELDS_PORT',
    )
    expect(told(3000)).toContain('127.0.0.1:3000 is in use by another process. Stop that one, or set PORT')
  })

  test('is reached under the address that the operator gives it', async () => {
    const named = await startTestApp({
      PUBLIC_URL: 'https://pay.example.com',
      SANDBOX_CARD_FIELDS_URL: 'https://cards.example.com/',
    })
    expect(named.services.cardFields?.url('pt')).toBe('https://cards.example.com/?lang=pt')
    await named.close()
  })
})

describe('the script for shops', () => {
  const script = (url = app.url, headers = {}) => fetch(`${url}/fields/v1.js`, { headers })

  test('200: any page may load it, without a cookie, and not twice', async () => {
    const { status, headers } = await script()
    expect([status, headers.get('content-type')]).toEqual([200, 'text/javascript; charset=utf-8'])
    expect(headers.get('cross-origin-resource-policy')).toBe('cross-origin')
    expect(headers.get('access-control-allow-origin')).toBe('*')
    expect(headers.get('cache-control')).toBe('public, max-age=3600')
    expect(headers.get('set-cookie')).toBeNull()
    expect((await script(app.url, { 'if-none-match': headers.get('etag') ?? '' })).status).toBe(304)
  })

  test('shows fields that any shop may frame, and that the checkout’s are not', async () => {
    const text = await (await script()).text()
    const [, address = ''] = /"pt":"([^"]+)"/.exec(text) ?? []
    expect(new URL(address).origin).toBe(new URL(addressOf()).origin)
    const { headers } = await fetch(address)
    const policy = (headers.get('content-security-policy') ?? '').split('; ')
    expect(policy).toContain('frame-ancestors https: http://localhost:* http://127.0.0.1:*')
    expect(policy).toEqual(expect.arrayContaining(["default-src 'none'", "script-src 'self'", "form-action 'none'"]))
    expect([headers.get('set-cookie'), headers.get('cache-control')]).toEqual([null, 'no-store'])
  })

  test('404: a provider without fields, or none for cards', async () => {
    const without = await startTestApp({ PIX_PROVIDER: 'sandbox' })
    const answer = await script(without.url)
    expect([answer.status, await answer.json()]).toMatchObject([404, { code: 'card_fields.unavailable' }])
    await without.close()
  })
})

describe('a token', () => {
  test('tells brand and last digits, never the number, and its last digit decides', async () => {
    const { shownOf, tokenOf } = await checks()
    for (const [number, brand, outcome] of [
      ['4111 1111 1111 1111', 'visa', 'approved'],
      ['5555 5555 5555 4444', 'mastercard', 'approved'],
      ['4000 0000 0000 0002', 'visa', 'declined'],
      ['3782 822463 10005', 'amex', 'declined'],
      ['6062 8256 2425 4001', 'hipercard', 'approved'],
    ] as const) {
      const token = tokenOf(number, '08/30')
      expect(token).toMatch(/^[A-Za-z0-9_.-]{4,255}$/)
      expect([token, looksLikeCardNumber(token)]).toEqual([token, false])
      expect(token).not.toContain(number.replaceAll(' ', '').slice(0, 6))
      expect(cardOutcome(token, new Date()).outcome).toBe(outcome)
      expect(cardBehind(token, new Date())).toMatchObject(shownOf(number, '08/30'))
      expect(cardBehind(token, new Date())).toMatchObject({ brand, last4: number.replaceAll(' ', '').slice(-4) })
    }
    const again = () => tokenOf('4111 1111 1111 1111', '08/2030')
    expect(again()).not.toBe(again())
  })
})

describe('what is typed', () => {
  test('a number has a length and a check digit', async () => {
    const { isNumber, grouped } = await checks()
    expect(['4111 1111 1111 1111', '3782 822463 10005'].map(isNumber)).toEqual([true, true])
    expect(['4111 1111 1111 1112', '4111', '', '4'.repeat(20), 'abcd'].map(isNumber)).toEqual(Array(5).fill(false))
    expect(grouped('41111111x11111111')).toBe('4111 1111 1111 1111')
  })

  test('an expiry lasts to the end of its month', async () => {
    const { isExpiry, asExpiry } = await checks()
    const now = new Date(2026, 10, 30)
    expect(['11/26', '1126', '11/2026', '01/27'].map((text) => isExpiry(text, now))).toEqual([true, true, true, true])
    expect(['10/26', '13/30', '00/30', '1/30', '', '11'].map((text) => isExpiry(text, now))).toEqual(
      Array(6).fill(false),
    )
    expect(asExpiry('0830')).toBe('08/30')
  })

  test('a code has three or four digits', async () => {
    const { isCode } = await checks()
    expect(['123', '1234', '12', '12345', 'abc', ''].map(isCode)).toEqual([true, true, false, false, false, false])
  })
})
