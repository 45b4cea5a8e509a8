import { afterAll, beforeAll, expect, test } from 'vitest'
import { autocommit } from '../../src/db/client.ts'
import { createSealedTextsRepository, SEALED_PLACES } from '../../src/jobs/sealed-texts.repository.ts'
import { sandboxCallbackBody } from '../../src/providers/sandbox/sandbox.callbacks.ts'
import { SIGNATURE_HEADER, sandboxSecret, signSandboxCallback } from '../../src/providers/sandbox/sandbox.signature.ts'
import { keepKeys } from '../../src/start/keep-keys.ts'
import { StartError } from '../../src/start/start-error.ts'
import { type Answer, startTestApp, TEST_ENVIRONMENT, type TestApp } from '../support/app.ts'
import { createCustomer } from '../support/customers.ts'
import { createTestDatabase, type TestDatabase } from '../support/database.ts'
import { adminToken, newEmail, registerSeller, type Seller } from '../support/factories.ts'
import { readMetrics } from '../support/metrics.ts'
import { createPayment, pay, sellingSeller } from '../support/payments.ts'
import { saveCard } from '../support/saved-cards.ts'
import { codeOf, enrol, letTimePass } from '../support/totp.ts'

const OLD = TEST_ENVIRONMENT.ENCRYPTION_KEY
const NEW = 'a-newer-key-that-only-the-tests-use-0123456'
const OLD_JWT = TEST_ENVIRONMENT.JWT_SECRET
const NEW_JWT = 'a-newer-secret-that-only-the-tests-use-0123'
const AGENT = { 'user-agent': 'a known phone' }

let database: TestDatabase
const apps: TestApp[] = []

const start = async (encryptionKey: string, jwtSecret: string): Promise<TestApp> => {
  const environment = { ENCRYPTION_KEY: encryptionKey, JWT_SECRET: jwtSecret }
  const app = await startTestApp(environment, { url: database.url, drop: async () => undefined })
  apps.push(app)
  return app
}

let before: TestApp
let during: TestApp
let after: TestApp
beforeAll(async () => {
  database = await createTestDatabase()
  before = await start(OLD, OLD_JWT)
  during = await start(`${NEW}, ${OLD}`, `${NEW_JWT},${OLD_JWT}`)
  after = await start(NEW, NEW_JWT)
})
afterAll(async () => {
  for (const app of apps) await app.close()
  await database.drop()
})

const runAll = async (job: { runOnce(): Promise<number> }): Promise<void> => {
  while ((await job.runOnce()) > 0);
}

const login = ({ api }: TestApp, { email, password }: Seller, proof: object = {}) =>
  api.post('auth/login', { body: { email, password, ...proof }, headers: AGENT })

const gauge = async (app: TestApp): Promise<string | undefined> =>
  (await readMetrics(app)).split('\n').find((line) => line.startsWith('sealed_under_older_keys '))

const SEALED = {
  webhooks: 'select secret_sealed as text from seller_webhooks',
  'previous secrets': `select s ->> 'sealed' as text from seller_webhooks, jsonb_array_elements(previous_secrets) s`,
  seeds: 'select secret_sealed as text from totp_secrets',
  cards: 'select token_sealed as text from saved_cards',
  mails: 'select secret_sealed as text from mails where secret_sealed is not null',
}

const openAll = async (app: TestApp): Promise<Record<string, string[]>> => {
  const opened: Record<string, string[]> = {}
  for (const [name, query] of Object.entries(SEALED)) {
    const { rows } = await app.sql.query<{ text: string }>(query)
    opened[name] = rows.map(({ text }) => app.services.secretBox.open(text)).sort()
  }
  return opened
}

test('access tokens of an older secret are good while it is listed, and new ones are of the newest', async () => {
  const seller = await registerSeller(before)
  const see = ({ api }: TestApp, token: string) => api.get(`users/${seller.id}`, { token })
  expect((await see(during, seller.token)).status).toBe(200)
  expect((await see(after, seller.token)).body.code).toBe('auth.token_invalid')
  const { accessToken } = (await login(during, seller)).body.tokens
  expect((await see(during, accessToken)).status).toBe(200)
  expect((await see(after, accessToken)).status).toBe(200)
  expect((await see(before, accessToken)).body.code).toBe('auth.token_invalid')
})

test('what keyed hashes know is known under an older key: recovery codes, devices and repeats', async () => {
  const seller = await registerSeller(before)
  await login(before, seller)
  const { recoveryCodes } = await enrol(before, seller)
  expect((await login(after, seller, { recoveryCode: recoveryCodes[0] })).body.code).toBe('auth.totp_invalid')
  expect((await login(during, seller, { recoveryCode: recoveryCodes[1] })).status).toBe(200)
  expect((await login(during, seller, { recoveryCode: recoveryCodes[1] })).body.code).toBe('auth.totp_invalid')
  // Of the first log-in with this program, and not of those under the newer key.
  const { rows } = await during.sql.query(`select 1 from mails where kind = 'new_device' and recipient_user_id = $1`, [
    seller.id,
  ])
  expect(rows).toHaveLength(1)
})

test('a browser that logged in under an older key is known, and gets its mark under the newest', async () => {
  const seller = await registerSeller(before)
  const from = (app: TestApp, cookie: string) =>
    app.api.post('auth/login', { body: { email: seller.email, password: seller.password }, headers: { cookie } })
  const markOf = ({ headers }: Answer): string => (headers.get('set-cookie') ?? '').split(';')[0] ?? ''
  const nameOf = (mark: string): string | undefined => mark.split('.')[0]
  const old = markOf(await from(before, ''))
  const again = markOf(await from(during, old))
  expect(nameOf(again)).toBe(nameOf(old))
  expect(again).not.toBe(old)
  expect(nameOf(markOf(await from(after, again)))).toBe(nameOf(old))
  expect(nameOf(markOf(await from(after, old)))).not.toBe(nameOf(old))
})

test('a request that holds a password is repeated under its key while the older key is listed', async () => {
  const token = await adminToken(before)
  const body = {
    email: newEmail(),
    password: 'mesa azul janela trilho',
    name: 'Ana',
    companyName: 'Loja',
    role: 'seller',
  }
  const headers = { 'idempotency-key': 'made-once' }
  const create = (app: TestApp, as: string, changes: object = {}) =>
    app.api.post('users', { token: as, headers, body: { ...body, ...changes } })
  const first = await create(before, token)
  const again = await create(during, token)
  expect([again.status, again.body.id, again.headers.get('idempotency-replayed')]).toEqual([201, first.body.id, 'true'])
  expect((await create(during, token, { name: 'Bia' })).body.code).toBe('idempotency.key_reused')
})

test('callbacks of the sandbox that a process with the older key signed are taken, and no others', async () => {
  const body = sandboxCallbackBody(before.services.newId(), [])
  const sent = (app: TestApp, key: string) => {
    const signature = signSandboxCallback(sandboxSecret(key), body, Date.now())
    const headers = { 'content-type': 'application/json', [SIGNATURE_HEADER]: signature }
    return app.api.post('/callbacks/sandbox', { body, headers })
  }
  expect([(await sent(during, OLD)).status, (await sent(during, NEW)).status]).toEqual([200, 200])
  expect([(await sent(after, OLD)).status, (await sent(after, NEW)).status]).toEqual([401, 200])
})

test('a whole rotation: nothing is lost when the old key is gone, and the ledger goes on being proven', async () => {
  await keepKeys(before.services)
  const seller = await sellingSeller(before)
  const customerId = (await createCustomer(before, seller)).id
  const { id: cardId } = await saveCard(before, seller, customerId)
  const payment = await createPayment(before, seller)
  await pay(before, seller, payment.id)
  await runAll(before.services.jobs.chainLedger)
  const body = { url: 'http://127.0.0.1:9/hook', events: ['*'] }
  const { body: webhook } = await before.api.post('seller-webhooks', { token: seller.token, body })
  const rotate = await before.api.post(`seller-webhooks/${webhook.id}/secret/rotate`, { token: seller.token, body: {} })
  expect(rotate.status).toBe(200)
  const { secret } = await enrol(before, seller)
  const sealed = await openAll(before)
  expect(Object.values(sealed).every(({ length }) => length > 0)).toBe(true)

  await keepKeys(during.services)
  await expect(keepKeys(after.services)).rejects.toThrow(StartError)
  expect(await openAll(during)).toStrictEqual(sealed)
  expect(await gauge(during)).not.toBe('sealed_under_older_keys 0')
  await runAll(during.services.jobs.reseal)
  expect(await gauge(during)).toBe('sealed_under_older_keys 0')

  await keepKeys(after.services)
  expect(await openAll(after)).toStrictEqual(sealed)
  await letTimePass(after, seller.id)
  const { body: session } = await login(after, seller, { totpCode: codeOf(secret, 1) })
  const later = { ...seller, token: session.tokens.accessToken }
  const byCard = { method: 'credit_card', customerId, cardId }
  expect(await createPayment(after, later, byCard)).toMatchObject({ status: 'paid', card: { cardId } })
  await runAll(after.services.jobs.chainLedger)
  await runAll(after.services.jobs.proveLedger)
  expect(await after.services.read.ledgerProofs.findLatest()).toMatchObject({ findingsCount: 0 })
  await expect(keepKeys(before.services)).rejects.toThrow('ENCRYPTION_KEY does not open what this database holds.')
})

test('a text that changed since it was read stays as it was changed', async () => {
  const seller = await registerSeller(before)
  await enrol(before, seller)
  const sealedTexts = createSealedTextsRepository(autocommit(during.services.database))
  const place = SEALED_PLACES.find(({ table }) => table === 'totp_secrets')
  if (place === undefined) throw new Error('seeds are not sealed')
  const row = (await sealedTexts.list(place, undefined, 100)).find(({ key }) => key[0] === seller.id)
  if (row === undefined) throw new Error('there is no seed')
  await before.sql.query(`update totp_secrets set secret_sealed = 'v1.changed' where user_id = $1`, [seller.id])
  expect(await sealedTexts.replace(place, row, 'v1.resealed')).toBe(false)
  expect(await sealedTexts.replace(place, { ...row, text: 'v1.changed' }, row.text)).toBe(true)
})

test('a database from before there were kept keys is not taken for one of another key', async () => {
  await before.sql.query('delete from ledger_chain_keys')
  const stranger = await start('a-key-of-somebody-else-0123456789-0123456', NEW_JWT)
  await expect(keepKeys(stranger.services)).rejects.toThrow(StartError)
})
