import { readFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { createSecureContext } from 'node:tls'
import { Agent, request } from 'undici'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { PROFILE_NAMES } from '../../../simulators/psp/profiles.ts'
import { charge, chargeBody, newTxid } from '../../support/psp/charges.ts'
import { createPspClient, identityOf } from '../../support/psp/client.ts'
import { startTestPsp, type TestPsp } from '../../support/psp/simulator.ts'

let efi: TestPsp

beforeAll(async () => {
  efi = await startTestPsp()
})
afterEach(async () => {
  await efi.control.must('POST', '/reset')
  efi.client.logOut()
})
afterAll(() => efi.close())

test.each(PROFILE_NAMES)(
  '%s: the profile’s own client authentication gets a token, and the token makes a charge',
  async (profile) => {
    const { client, close } = await startTestPsp({ profile })
    const { status, body } = await client.askToken()
    expect(status).toBe(200)
    expect(body).toMatchObject({ token_type: 'Bearer', expires_in: 3_600 })
    const txid = newTxid()
    expect((await client.call('PUT', `/cob/${txid}`, chargeBody(client))).status).toBe(201)
    expect((await client.call('GET', `/cob/${txid}`)).body.txid).toBe(txid)
    await close()
  },
)

test('200: Efí’s clients ask for a token with JSON', async () => {
  const { clientId, clientSecret } = efi.client.merchant
  const authorization = `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString('base64')}`
  const answer = await efi.client.raw(
    'POST',
    '/oauth/token',
    { grant_type: 'client_credentials' },
    { headers: { authorization } },
  )
  expect(answer.status).toBe(200)
  expect(String(answer.body.scope).split(' ')).toContain('gn.pix.send.read')
})

test.each([
  ['inter', { client_secret: 'another' }],
  ['inter', { client_id: 'another' }],
  ['sicoob', { client_id: 'another' }],
] as const)('401: %s refuses credentials with %o', async (profile, fields) => {
  const { client, close } = await startTestPsp({ profile })
  const { status, body } = await client.askToken(fields)
  expect(status).toBe(401)
  expect(body.error).toBe('invalid_client')
  await close()
})

test('401: a profile refuses the client authentication of another', async () => {
  const { clientId, clientSecret } = efi.client.merchant
  const form = new URLSearchParams({
    grant_type: 'client_credentials',
    client_id: clientId,
    client_secret: clientSecret,
  })
  const headers = { 'content-type': 'application/x-www-form-urlencoded' }
  const { status, body } = await efi.client.raw('POST', '/oauth/token', form.toString(), { headers })
  expect(status).toBe(401)
  expect(body.error).toBe('invalid_client')
})

test('200: another client authentication than the profile’s can be asked for', async () => {
  const { client, close } = await startTestPsp({ profile: 'generic', clientAuthentication: 'form' })
  const { clientId, clientSecret } = client.merchant
  const form = new URLSearchParams({
    grant_type: 'client_credentials',
    client_id: clientId,
    client_secret: clientSecret,
  })
  const headers = { 'content-type': 'application/x-www-form-urlencoded' }
  expect((await client.raw('POST', '/oauth/token', form.toString(), { headers })).status).toBe(200)
  expect((await client.askToken()).status).toBe(401)
  await close()
})

test('400: another grant', async () => {
  const { status, body } = await efi.client.askToken({ grant_type: 'password' })
  expect(status).toBe(400)
  expect(body.error).toBe('unsupported_grant_type')
})

test('401: the credentials of one merchant with the certificate of another', async () => {
  const identity = identityOf(efi.psp, 'merchant-2')
  const thief = createPspClient({ psp: efi.psp, profile: 'efi', merchantId: 'merchant-1', identity })
  expect((await thief.askToken()).status).toBe(401)
  const token = String((await efi.client.askToken()).body.access_token)
  const answer = await thief.call('GET', `/cob/${newTxid()}`, undefined, { token })
  expect(answer.status).toBe(401)
  await thief.close()
})

test('a token covers those of the scopes asked for that the merchant has', async () => {
  const { body } = await efi.client.askToken({ scope: 'cob.read cobr.write pix.read' })
  expect(body.scope).toBe('cob.read pix.read')
  const none = await efi.client.askToken({ scope: 'cobr.write' })
  expect(none.status).toBe(400)
  expect(none.body.error).toBe('invalid_scope')
})

test('403: a token without the scope of the operation', async () => {
  const { body } = await efi.client.askToken({ scope: 'cob.read' })
  const options = { token: String(body.access_token) }
  const answer = await efi.client.call('PUT', `/cob/${newTxid()}`, chargeBody(efi.client), options)
  expect(answer.status).toBe(403)
  expect(answer.body.type).toBe('https://pix.bcb.gov.br/api/v2/error/AcessoNegado')
  expect((await efi.client.call('GET', `/cob/${newTxid()}`, undefined, options)).status).toBe(404)
})

test('a merchant’s scopes can be taken away', async () => {
  await efi.control.must('PATCH', '/merchants/merchant-1', { scopes: ['cob.read'] })
  expect((await efi.client.askToken()).body.scope).toBe('cob.read')
})

test('401: without a token, with an unknown one, after its hour, and once all are revoked', async () => {
  const path = `/cob/${newTxid()}`
  const withToken = (token: string) => efi.client.call('GET', path, undefined, { token })
  expect((await efi.client.raw('GET', `/v2${path}`)).status).toBe(401)
  expect((await withToken('unknown')).status).toBe(401)
  const first = String((await efi.client.askToken()).body.access_token)
  expect((await withToken(first)).status).toBe(404)
  await efi.control.must('POST', '/clock/advance', { seconds: 3_601 })
  expect((await withToken(first)).status).toBe(401)
  const second = String((await efi.client.askToken()).body.access_token)
  expect((await withToken(second)).status).toBe(404)
  await efi.control.must('POST', '/tokens/revoke')
  expect((await withToken(second)).status).toBe(401)
})

test('state that another profile left grants what this one does', async () => {
  const bb = await startTestPsp({ profile: 'bb' })
  await bb.psp.close()
  const next = await startTestPsp({ profile: 'efi', dataFolder: bb.dataFolder })
  expect((await next.client.askToken()).body.scope).toContain('pix.send')
  await next.close()
  await rm(bb.dataFolder, { recursive: true })
})

test('the lifetime of tokens is a setting', async () => {
  await efi.control.must('PATCH', '/settings', { tokenSeconds: 5 })
  expect((await efi.client.askToken()).body.expires_in).toBe(5)
})

const CLOSED = /other side closed|socket hang up|ECONNRESET/

test('with a client certificate that has expired, the connection is closed', async () => {
  const expired = createPspClient({
    ...{ psp: efi.psp, profile: 'efi', merchantId: 'merchant-1' },
    identity: identityOf(efi.psp, 'merchant-1', '-expired'),
  })
  await expect(expired.askToken()).rejects.toThrow(CLOSED)
  await expired.close()
})

test('without a client certificate, the connection is closed', async () => {
  const dispatcher = new Agent({ connect: { ca: efi.psp.certificates.authority } })
  const url = `https://localhost:${efi.psp.apiPort}/oauth/token`
  await expect(request(url, { method: 'POST', dispatcher })).rejects.toThrow(CLOSED)
  await dispatcher.close()
})

test('the PKCS#12 file opens with its password and holds certificate and key', () => {
  const file = readFileSync(join(efi.psp.certificatesFolder, 'merchant-1.p12'))
  expect(() => createSecureContext({ pfx: file, passphrase: 'segredo' })).not.toThrow()
  expect(() => createSecureContext({ pfx: file, passphrase: 'errado' })).toThrow()
})

test('each merchant sees what is its own', async () => {
  const txid = await charge(efi.client)
  expect((await efi.clientOf('merchant-2').call('GET', `/cob/${txid}`)).status).toBe(404)
})
