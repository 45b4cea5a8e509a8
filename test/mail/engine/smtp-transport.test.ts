import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../support/app.ts'
import { createAuthority, type Identity, selfSigned } from '../../support/certificates.ts'
import { registerSeller, type Seller } from '../../support/factories.ts'
import { askFor, forgetMails, mailRows, newSender, passwordChanged, sendAll } from '../../support/mails.ts'
import { type SmtpTestServer, startSmtpServer } from '../../support/smtp-server.ts'

const authority = createAuthority()
const hosts = ['127.0.0.1', 'localhost']
const trusted = authority.issue({ hosts })

let app: TestApp
let seller: Seller
const closers: (() => unknown)[] = []

beforeAll(async () => {
  app = await startTestApp()
  seller = await registerSeller(app)
})
beforeEach(() => forgetMails(app))
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close()
})
afterAll(() => app.close())

type Given = {
  identity?: Identity
  secure?: boolean
  commands?: string[]
  credentials?: [user: string, password: string]
}

/** A server that asks for what it is told to: certificates, and a user with a password. */
const serve = async ({ identity, secure = false, commands = [], credentials }: Given) => {
  const logins: { user: string; password: string; encrypted: boolean }[] = []
  const server = await startSmtpServer({
    server: {
      ...(identity ? { key: identity.key, cert: identity.cert } : {}),
      secure,
      disabledCommands: [...commands, ...(credentials ? [] : ['AUTH'])],
      authOptional: credentials === undefined,
      allowInsecureAuth: true,
      onAuth({ username, password }, session, callback) {
        const user = username ?? ''
        logins.push({ user, password: password ?? '', encrypted: session.secure === true })
        if (user === credentials?.[0] && password === credentials[1]) callback(null, { user })
        else callback(new Error('who are you?'))
      },
    },
  })
  closers.push(server.close)
  return { ...server, logins }
}

const sendThrough = async (url: string, ca?: string) => {
  const sender = newSender(app, { url, ...(ca === undefined ? {} : { ca }) })
  closers.push(sender.close)
  await askFor(app, passwordChanged(seller.id))
  await sendAll(sender)
  const [row] = await mailRows(app)
  return row
}

const at = ({ port }: SmtpTestServer, { scheme = 'smtp', before = '', host = '127.0.0.1', behind = '' } = {}): string =>
  `${scheme}://${before}${host}:${port}${behind}`

test('smtp: a server that offers to encrypt is spoken to in secret', async () => {
  const server = await serve({ identity: trusted })
  expect(await sendThrough(at(server), authority.cert)).toMatchObject({ status: 'sent' })
  expect(server.taken).toMatchObject([{ secure: true }])
})

test('smtp: a server that cannot encrypt gets the mail in clear, where nothing forbids it', async () => {
  const server = await serve({ commands: ['STARTTLS'] })
  expect(await sendThrough(at(server))).toMatchObject({ status: 'sent' })
  expect(server.taken).toMatchObject([{ secure: false }])
})

test('smtp with starttls=required: a server that cannot encrypt gets nothing', async () => {
  const server = await serve({ commands: ['STARTTLS'] })
  const row = await sendThrough(at(server, { behind: '?starttls=required' }))
  expect(row).toMatchObject({ status: 'waiting', last_result: 'tls' })
  expect(server.taken).toEqual([])
})

test('smtp with a password: it is sent in secret', async () => {
  const credentials: [string, string] = ['post@example.com', 'p@ss:w/ord?']
  const server = await serve({ identity: trusted, credentials })
  const before = `${encodeURIComponent(credentials[0])}:${encodeURIComponent(credentials[1])}@`
  expect(await sendThrough(at(server, { before }), authority.cert)).toMatchObject({ status: 'sent' })
  expect(server.logins).toEqual([{ user: credentials[0], password: credentials[1], encrypted: true }])
})

test('smtp with a password: a server that does not encrypt never sees it, unless that is asked for', async () => {
  const server = await serve({ commands: ['STARTTLS'], credentials: ['user', 'secret'] })
  expect(await sendThrough(at(server, { before: 'user:secret@' }))).toMatchObject({ last_result: 'tls' })
  expect([server.logins, server.taken]).toEqual([[], []])
  await forgetMails(app)
  const row = await sendThrough(at(server, { before: 'user:secret@', behind: '?starttls=optional' }))
  expect(row).toMatchObject({ status: 'sent' })
  expect(server.logins).toEqual([{ user: 'user', password: 'secret', encrypted: false }])
})

test('a wrong password ends no mail: whoever runs the platform mends it', async () => {
  const server = await serve({ identity: trusted, credentials: ['user', 'secret'] })
  const row = await sendThrough(at(server, { before: 'user:wrong@' }), authority.cert)
  expect(row).toMatchObject({ status: 'waiting', last_result: 'authentication', reply_code: 535 })
  expect(server.taken).toEqual([])
})

test('smtps: the connection is encrypted from its beginning', async () => {
  const server = await serve({ identity: trusted, secure: true })
  expect(await sendThrough(at(server, { scheme: 'smtps' }), authority.cert)).toMatchObject({ status: 'sent' })
  expect(server.taken).toMatchObject([{ secure: true }])
})

test.each([
  ['that vouches for itself', () => selfSigned({ hosts })],
  ['of an authority that nobody knows', () => createAuthority('Somebody').issue({ hosts })],
  ['of another host', () => authority.issue({ hosts: ['smtp.example.com'] })],
  ['that has expired', () => authority.issue({ hosts, validUntil: new Date(Date.now() - 60_000) })],
])('a server with a certificate %s gets nothing, by STARTTLS and by TLS alike', async (_what, identityOf) => {
  for (const secure of [false, true]) {
    await forgetMails(app)
    const server = await serve({ identity: identityOf(), secure, credentials: ['user', 'secret'] })
    const place = { scheme: secure ? 'smtps' : 'smtp', before: 'user:secret@' }
    const row = await sendThrough(at(server, place), authority.cert)
    expect(row).toMatchObject({ status: 'waiting', attempts_made: 1 })
    expect([server.logins, server.taken]).toEqual([[], []])
  }
})

const HOSTILE = 'Maria\r\nBcc: victim@example.com\r\nX-Planted: yes\r\n\r\n<b>Hello</b>\u202e'

test('nothing that people write can add a header, a recipient or markup', async () => {
  const server = await startSmtpServer()
  closers.push(server.close)
  const sender = newSender(app, { url: server.url })
  closers.push(sender.close)
  await app.sql.query('update users set name = $1 where id = $2', [HOSTILE, seller.id])
  const told = { invitedBy: HOSTILE, team: HOSTILE, validUntil: '2026-11-20T13:31:00.000Z' }
  await askFor(app, passwordChanged(seller.id), {
    kind: 'invitation',
    to: { address: 'friend@example.com' },
    data: told,
    secret: { token: `tok"><script>\r\nBcc: victim@example.com` },
  })
  await sendAll(sender)
  expect(server.taken.flatMap(({ to }) => to).sort()).toEqual(['friend@example.com', seller.email])
  for (const { raw, email } of server.taken) {
    const names = email.headers.map(({ key }) => key).sort()
    expect(names).toEqual([
      'auto-submitted',
      'content-type',
      'date',
      'from',
      'message-id',
      'mime-version',
      'subject',
      'to',
    ])
    expect(raw.split('\r\n\r\n')[0]).not.toMatch(/^(bcc|x-planted)/im)
    expect(email.html).not.toContain('<b>')
    expect(email.html).not.toContain('<script>')
    expect(email.text).not.toContain('\u202e')
    // No line of the text begins with what somebody made to look like another part of the mail.
    expect(email.text).not.toMatch(/^(Bcc|X-Planted|<b>)/m)
  }
})

test.each([
  'a@example.com\r\nRCPT TO:<victim@example.com>',
  'a@example.com>\r\nRCPT TO:<victim@example.com',
  'a@example.com, victim@example.com',
  'Maria <victim@example.com>',
  'a@exa mple.com',
  '',
])('an address that is none reaches nobody: %j', async (address) => {
  const server = await startSmtpServer()
  closers.push(server.close)
  const sender = newSender(app, { url: server.url })
  closers.push(sender.close)
  await askFor(app, {
    kind: 'email_verification',
    to: { address },
    data: { validUntil: '2026-11-20T13:31:00.000Z' },
    secret: { token: 'tok' },
  })
  await sendAll(sender)
  expect(server.taken).toEqual([])
  expect(await mailRows(app)).toMatchObject([{ status: 'canceled', reason: 'no_recipient' }])
})
