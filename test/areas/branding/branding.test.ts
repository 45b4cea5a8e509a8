import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../support/app.ts'
import { pdfBytes } from '../../support/company.ts'
import { adminToken, approvedSeller, registerSeller, type Seller } from '../../support/factories.ts'
import { fileForm, imageBytes } from '../../support/images.ts'
import { createLink } from '../../support/payment-links.ts'
import { joinTeam } from '../../support/team.ts'

let app: TestApp
let seller: Seller
let admin: string

beforeAll(async () => {
  app = await startTestApp()
  seller = await approvedSeller(app)
  admin = await adminToken(app)
})
afterAll(() => app.close())

type Caller = Pick<Seller, 'token'>

const get = ({ token }: Caller = seller) => app.api.get('branding', { token })
const choose = (body: unknown, { token }: Caller = seller) => app.api.put('branding', { token, body })
const send = (bytes: Buffer, { token }: Caller = seller, name?: string) =>
  app.api.put('branding/logo', { token, body: fileForm(bytes, name) })
const remove = ({ token }: Caller = seller) => app.api.delete('branding/logo', { token })

const download = async (url: string) => {
  const response = await fetch(url)
  return { status: response.status, headers: response.headers, bytes: Buffer.from(await response.arrayBuffer()) }
}

const idOf = (url: string): string => url.split('/').at(-1) ?? ''
const fileOf = (url: string): string => join(app.config.dataDir, 'documents', 'logos', idOf(url))

const auditOf = async ({ id }: Seller) => {
  const { rows } = await app.sql.query(
    "select before, after from audit_log where target_id = $1 and action = 'branding.update' order by id",
    [id],
  )
  return rows
}

test('200: a seller who has chosen nothing has no colour and no logo', async () => {
  const fresh = await registerSeller(app)
  const { status, body } = await get(fresh)
  expect(status).toBe(200)
  expect(body).toEqual({ sellerId: fresh.id, color: null, shades: null, logo: null, updatedAt: null })
})

test('200: a colour says which shades are made of it, is noted, and goes again', async () => {
  const { status, body } = await choose({ color: '#FFD400' })
  expect(status).toBe(200)
  expect(body).toMatchObject({
    color: '#ffd400',
    shades: { light: { button: '#ffd400', buttonText: '#000000' }, dark: { button: '#ffd400', accent: '#ffd400' } },
  })
  expect(body.shades.light.accent).not.toBe('#ffd400')
  expect((await get()).body).toEqual(body)
  expect((await choose({ color: null })).body).toMatchObject({ color: null, shades: null })
  expect(await auditOf(seller)).toEqual([
    { before: { color: null, logoId: null }, after: { color: '#ffd400', logoId: null } },
    { before: { color: '#ffd400', logoId: null }, after: { color: null, logoId: null } },
  ])
})

test.each(['red', '#fff', '#12345g', '#1234567', '', 7])('400: %j is no colour', async (color) => {
  const { status, body } = await choose({ color })
  expect([status, body.errors[0].path]).toEqual([400, 'color'])
})

test('412: a colour that was chosen since is not overwritten', async () => {
  const etag = (await get()).headers.get('etag') ?? ''
  await choose({ color: '#123456' })
  const late = await app.api.put('branding', {
    token: seller.token,
    body: { color: null },
    headers: { 'if-match': etag },
  })
  expect([late.status, late.body.code]).toEqual([412, 'precondition.failed'])
  expect((await get()).body.color).toBe('#123456')
})

test.each(['image/png', 'image/jpeg'] as const)(
  '200: a logo (%s) is what it contains, and anybody gets it from an address of its own, for ever',
  async (type) => {
    const bytes = imageBytes({ type, width: 120, height: 48 })
    const { status, body } = await send(bytes, seller, 'logo.svg')
    expect(status).toBe(200)
    const { logo } = body
    const sha256 = createHash('sha256').update(bytes).digest('hex')
    expect(logo).toMatchObject({ width: 120, height: 48, contentType: type, size: bytes.length, sha256 })
    const image = await download(logo.url)
    expect([image.status, image.bytes.equals(bytes)]).toEqual([200, true])
    expect(Object.fromEntries(image.headers)).toMatchObject({
      'content-type': type,
      'content-length': String(bytes.length),
      'content-security-policy': "default-src 'none'; sandbox",
      'content-disposition': 'inline',
      'x-content-type-options': 'nosniff',
      'cache-control': 'public, max-age=31536000, immutable',
    })
  },
)

test('200: the same image keeps its address and one file, another one gets its own, and the old one is gone', async () => {
  const first = (await send(imageBytes({ color: '#111111' }))).body.logo
  expect((await send(imageBytes({ color: '#111111' }))).body.logo).toEqual(first)
  const second = (await send(imageBytes({ color: '#222222' }))).body.logo
  expect(second.url).not.toBe(first.url)
  expect((await download(first.url)).status).toBe(404)
  expect((await download(second.url)).status).toBe(200)
  await app.services.jobs.cleanUp.runOnce()
  expect([existsSync(fileOf(first.url)), existsSync(fileOf(second.url))]).toEqual([false, true])
})

test('200: logos that meet each other leave one, whose file is there', async () => {
  const other = await registerSeller(app)
  const sent = await Promise.all(['#010101', '#020202', '#030303'].map((color) => send(imageBytes({ color }), other)))
  expect(sent.map(({ status }) => status)).toEqual([200, 200, 200])
  const { rows } = await app.sql.query('select id from seller_logos where seller_id = $1 and removed_at is null', [
    other.id,
  ])
  const { logo } = (await get(other)).body
  expect(rows).toEqual([{ id: idOf(logo.url) }])
  expect((await download(logo.url)).status).toBe(200)
})

test('204: a removed logo is no longer served, its file goes, and its removal is noted once', async () => {
  const { logo } = (await send(imageBytes({ color: '#333333' }))).body
  const noted = (await auditOf(seller)).length
  expect((await remove()).status).toBe(204)
  expect((await remove()).status).toBe(204)
  expect((await auditOf(seller)).slice(noted)).toMatchObject([
    { before: { logoId: idOf(logo.url) }, after: { logoId: null } },
  ])
  expect((await get()).body.logo).toBeNull()
  expect((await download(logo.url)).status).toBe(404)
  await app.services.jobs.cleanUp.runOnce()
  expect(existsSync(fileOf(logo.url))).toBe(false)
})

const SVG = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>')
const BROKEN_JPEG = Buffer.concat([imageBytes({ type: 'image/jpeg' }).subarray(0, 20), Buffer.alloc(64)])

test.each([
  ['SVG', SVG],
  ['HTML', Buffer.from('<!doctype html><script>alert(1)</script>')],
  ['PDF', pdfBytes()],
  ['a GIF', Buffer.from('GIF89a\x40\x00\x40\x00\x80\x00\x00', 'latin1')],
  ['a JPEG without a picture', BROKEN_JPEG],
  ['a PNG without a head', Buffer.concat([imageBytes().subarray(0, 8), Buffer.alloc(64)])],
])('415: %s is no logo, whatever its name says, and leaves no file', async (_, bytes) => {
  const { rowCount: before } = await app.sql.query('select from seller_logos')
  const { status, body } = await send(bytes)
  expect([status, body.code]).toEqual([415, 'branding.logo_type_not_supported'])
  expect((await app.sql.query('select from seller_logos')).rowCount).toBe(before)
})

test.each([
  [31, 64],
  [64, 31],
  [2_049, 64],
  [64, 2_049],
])('422: an image of %i × %i pixels is no logo, and is told its size', async (width, height) => {
  const { status, body } = await send(imageBytes({ width, height }))
  expect([status, body.code]).toEqual([422, 'branding.logo_dimensions'])
  expect(body.detail).toContain(`${width} × ${height}`)
})

test('413: an image is at most 512 KiB', async () => {
  const { status, body } = await send(Buffer.concat([imageBytes(), Buffer.alloc(512 * 1_024)]))
  expect([status, body.code]).toEqual([413, 'server.payload_too_large'])
})

test('400: a form has one file and nothing else', async () => {
  const none = await app.api.put('branding/logo', { token: seller.token, body: new FormData() })
  expect([none.status, none.body.errors.map(({ path }: { path: string }) => path)]).toEqual([400, ['file']])
  const form = fileForm(imageBytes())
  form.append('file', new Blob([new Uint8Array(imageBytes())]), 'other.png')
  form.append('color', '#123456')
  const two = await app.api.put('branding/logo', { token: seller.token, body: form })
  expect([two.status, two.body.errors.map(({ path }: { path: string }) => path)]).toEqual([400, ['color', 'file']])
})

test('422: who replaces a logo again and again waits until the files are removed', async () => {
  const fresh = await registerSeller(app)
  expect((await send(imageBytes({ color: '#444444' }), fresh)).status).toBe(200)
  await app.sql.query(
    `insert into seller_logos select gen_random_uuid(), seller_id, content_type, size_bytes, sha256, width, height, created_at, now()
     from seller_logos, generate_series(1, 9) where seller_id = $1`,
    [fresh.id],
  )
  const { status, body } = await send(imageBytes({ color: '#555555' }), fresh)
  expect([status, body.code]).toEqual([422, 'branding.quota_reached'])
  await app.services.jobs.cleanUp.runOnce()
  expect((await send(imageBytes({ color: '#555555' }), fresh)).status).toBe(200)
})

test('403: who may only look cannot change how pages look', async () => {
  const viewer = await joinTeam(app, seller, 'viewer')
  expect((await get(viewer)).status).toBe(200)
  for (const answer of [await choose({ color: null }, viewer), await send(imageBytes(), viewer), await remove(viewer)])
    expect([answer.status, answer.body.code]).toEqual([403, 'auth.forbidden'])
  const developer = await joinTeam(app, seller, 'developer')
  expect((await choose({ color: '#00695c' }, developer)).body.sellerId).toBe(seller.id)
})

test('404: an address that no logo has', async () => {
  for (const id of ['0198-nothing', '01981c5e-7a42-7b3c-9d0e-2f6a1b8c4d55'])
    expect((await download(`${app.url}/pay/logos/${id}`)).status).toBe(404)
})

test('payers are told of both with the link, and administrators with the seller', async () => {
  const { logo } = (await send(imageBytes({ color: '#666666', width: 200 }))).body
  await choose({ color: '#7a1fa2' })
  const { hash } = await createLink(app, seller)
  expect((await app.api.get(`payment-links/${hash}`)).body).toMatchObject({
    sellerColor: '#7a1fa2',
    sellerLogo: { url: logo.url, width: 200, height: 64 },
  })
  const shown = (await app.api.get(`admin/sellers/${seller.id}`, { token: admin })).body
  expect(shown.branding).toEqual({ color: '#7a1fa2', logoUrl: logo.url })
})

test('204: an administrator removes a logo that is somebody else’s; 404 of who is no seller', async () => {
  const { logo } = (await send(imageBytes({ color: '#777777' }))).body
  expect((await app.api.delete(`admin/sellers/${seller.id}/logo`, { token: admin })).status).toBe(204)
  expect((await download(logo.url)).status).toBe(404)
  const member = await joinTeam(app, seller, 'finance')
  for (const id of [member.id, '01981c5e-7a42-7b3c-9d0e-2f6a1b8c4d55']) {
    const { status, body } = await app.api.delete(`admin/sellers/${id}/logo`, { token: admin })
    expect([status, body.code]).toEqual([404, 'seller.not_found'])
  }
})

test('with an account end its logo, the file of it, and its colour', async () => {
  const leaving = await registerSeller(app)
  await choose({ color: '#888888' }, leaving)
  const { logo } = (await send(imageBytes({ color: '#888888' }), leaving)).body
  expect((await app.api.delete(`users/${leaving.id}`, { token: leaving.token })).status).toBe(204)
  expect((await download(logo.url)).status).toBe(404)
  await app.services.jobs.cleanUp.runOnce()
  expect(existsSync(fileOf(logo.url))).toBe(false)
  for (const table of ['seller_brandings', 'seller_logos'])
    expect((await app.sql.query(`select from ${table} where seller_id = $1`, [leaving.id])).rowCount).toBe(0)
})
