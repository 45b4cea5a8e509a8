import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createCanvas, loadImage } from '@napi-rs/canvas'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { printable } from '../../../src/areas/boletos/boleto.pen.ts'
import { paymentCode } from '../../../src/domain/payment-code.ts'
import { startTestApp, type TestApp } from '../../support/app.ts'
import { scanBarcodes } from '../../support/barcode-scanner.ts'
import { approvedSeller, type Seller } from '../../support/factories.ts'
import { createPayment, PAYER, pay, sellingSeller } from '../../support/payments.ts'
import { pdfPages } from '../../support/pdf-pages.ts'

const FOLDER = join(import.meta.dirname, '..', '..', '..', '.artifacts', 'boleto')

let app: TestApp
let seller: Seller

beforeAll(async () => {
  app = await startTestApp()
  seller = await sellingSeller(app)
})

afterAll(() => app.close())

const boleto = (fields: Record<string, unknown> = {}) =>
  createPayment(app, seller, {
    method: 'boleto',
    amount: 24_990,
    customer: PAYER,
    description: 'Bolo de aniversário',
    ...fields,
  })

/** Opens an address as a browser does, and reads what comes. */
const open = async (url: string, headers: Record<string, string> = {}) => {
  const response = await fetch(url, { headers })
  const bytes = new Uint8Array(await response.arrayBuffer())
  const isPdf = response.headers.get('content-type') === 'application/pdf'
  return { status: response.status, headers: response.headers, pages: isPdf ? await pdfPages(bytes) : [] }
}

const bearer = ({ token }: Seller) => ({ authorization: `Bearer ${token}` })

/** Every colour that a picture has, as hexadecimal digits. */
const colorsIn = async (png: Buffer = Buffer.of()): Promise<string[]> => {
  const image = await loadImage(png)
  const pen = createCanvas(image.width, image.height).getContext('2d')
  pen.drawImage(image, 0, 0)
  const { data } = pen.getImageData(0, 0, image.width, image.height)
  const bytes = Buffer.alloc(4)
  return [...new Set(new Uint32Array(data.buffer))].map((pixel) => {
    bytes.writeUInt32LE(pixel)
    return bytes.toString('hex', 0, 3)
  })
}

const keep = (name: string, png: Buffer | undefined): void => {
  mkdirSync(FOLDER, { recursive: true })
  writeFileSync(join(FOLDER, `${name}.png`), png ?? '')
}

test('200: whoever has the address opens one page of A4 with all that is needed, whose bars a scanner reads', async () => {
  const made = await boleto()
  const { status, headers, pages } = await open(made.boleto.pdfUrl)
  const [page] = pages
  keep('a4', page?.png)
  expect([status, pages.length, page?.widthPoints, page?.heightPoints]).toEqual([200, 1, 595.28, 841.89])
  for (const text of [
    'Padaria da Maria',
    'Maria da Silva Pães Ltda · CNPJ ',
    'Avenida Paulista, 1000, Sala 52 · Bela Vista · São Paulo/SP · CEP 01310-100',
    'contato@padaria.com.br · (11) 98765-4321',
    'Francisco da Silva · CPF 529.982.247-25',
    'R$ 249,90',
    'Sandbox (999-7)',
    made.boleto.dueDate.split('-').reverse().join('/'),
    paymentCode(made.id),
    'Emissão',
    'Bolo de aniversário',
    'Ambiente de testes: este boleto não pode ser pago.',
  ])
    expect(page?.text).toContain(text)
  expect(page?.text.replace(/\D/g, '')).toContain(made.boleto.line)
  expect(await scanBarcodes(page?.png ?? Buffer.of())).toEqual([made.boleto.barcode])
  expect(headers.get('content-disposition')).toBe(`inline; filename=boleto-${paymentCode(made.id)}.pdf`)
  expect([headers.get('cache-control'), headers.get('x-content-type-options')]).toEqual([
    'private, no-store',
    'nosniff',
  ])
})

test('200: as wide as a phone and in English where that is asked for', async () => {
  const made = await boleto()
  const { pages } = await open(`${made.boleto.pdfUrl}?size=phone`, { 'accept-language': 'en' })
  const [page] = pages
  keep('phone', page?.png)
  expect([pages.length, page?.widthPoints, page?.heightPoints]).toEqual([1, 360, 720])
  expect(page?.text).toContain('Number to type')
  expect(await scanBarcodes(page?.png ?? Buffer.of())).toEqual([made.boleto.barcode])
})

test('200: rules and headings are in the seller’s colour, as far as it can be read on paper', async () => {
  const made = await boleto()
  const choose = (color: string | null) => app.api.put('branding', { token: seller.token, body: { color } })
  await choose('#7a1fa2')
  const [page] = (await open(made.boleto.pdfUrl)).pages
  expect(await colorsIn(page?.png)).toContain('7a1fa2')
  await choose('#ffd400')
  const [pale] = (await open(made.boleto.pdfUrl)).pages
  expect(await colorsIn(pale?.png)).not.toContain('ffd400')
  await choose(null)
})

test('200: its seller gets the same, by token', async () => {
  const made = await boleto()
  const { status, pages } = await open(`${app.url}/api/v1/payments/${made.id}/boleto?size=phone`, bearer(seller))
  expect([status, pages.length]).toEqual([200, 1])
  expect(pages[0]?.text).toContain(paymentCode(made.id))
})

test('404: for a wrong token and another payment’s, and to another seller', async () => {
  const [made, other] = [await boleto(), await boleto()]
  const token = made.boleto.pdfUrl.split('/').at(-1)
  const { id: pix } = await createPayment(app, seller)
  const path = `${app.url}/pay/boletos`
  for (const end of [`${made.id}/x`, `${made.id}/%20`, `${other.id}/${token}`, `${pix}/${token}`, `x/${token}`]) {
    expect([end, (await open(`${path}/${end}`)).status]).toEqual([end, 404])
  }
  const stranger = await approvedSeller(app)
  expect((await open(`${app.url}/api/v1/payments/${made.id}/boleto`, bearer(stranger))).status).toBe(404)
})

test('400 and 401: an unknown size, nobody', async () => {
  const made = await boleto()
  const path = `payments/${made.id}/boleto`
  expect((await app.api.get(`${path}?size=a5`, { token: seller.token })).status).toBe(400)
  expect((await app.api.get(path)).status).toBe(401)
})

test('one that is not to be paid any more says so, and has neither line nor bars', async () => {
  const paid = await boleto()
  await pay(app, seller, paid.id)
  const canceled = await boleto()
  await app.api.post(`payments/${canceled.id}/cancel`, { token: seller.token })
  for (const [made, said] of [
    [paid, 'Este boleto já foi pago.'],
    [canceled, 'Este boleto não vale mais.'],
  ] as const) {
    for (const size of ['a4', 'phone']) {
      const { pages } = await open(`${made.boleto.pdfUrl}?size=${size}`)
      keep(`over-${size}`, pages[0]?.png)
      expect(pages[0]?.text).toContain(said)
      expect(pages[0]?.text.replace(/\D/g, '')).not.toContain(made.boleto.line)
      expect(await scanBarcodes(pages[0]?.png ?? Buffer.of())).toEqual([])
    }
  }
})

test('texts of any length and script stay on their page, and its bars can still be read', async () => {
  const name = 'Ἀριστοτέλης 李小龍 😀 '.repeat(6).trim().slice(0, 120)
  const made = await boleto({ customer: { ...PAYER, name }, description: 'Ç'.repeat(140) })
  for (const size of ['a4', 'phone']) {
    const { pages } = await open(`${made.boleto.pdfUrl}?size=${size}`)
    keep(`long-${size}`, pages[0]?.png)
    expect(pages.length).toBe(1)
    expect(await scanBarcodes(pages[0]?.png ?? Buffer.of())).toEqual([made.boleto.barcode])
  }
  expect(printable('Łódź ação\n“x” 李')).toBe('?ódz ação “x” ?')
})

test('events do not carry the address, which shows who pays', async () => {
  const made = await boleto()
  const { rows } = await app.sql.query(
    "select body from events where seller_id = $1 and body::text like '%' || $2 || '%'",
    [seller.id, made.id],
  )
  expect(rows.length).toBeGreaterThan(0)
  for (const { body } of rows) expect(String(body)).not.toContain('/pay/boletos/')
})
