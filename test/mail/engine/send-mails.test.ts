import { setTimeout as wait } from 'node:timers/promises'
import { pino } from 'pino'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../support/app.ts'
import { registerSeller, type Seller } from '../../support/factories.ts'
import {
  askFor,
  CHANGED_AT,
  forgetMails,
  letHoursPass,
  mailRows,
  newSender,
  passwordChanged,
  sendAll,
  verification,
} from '../../support/mails.ts'
import {
  replyOf,
  type SmtpTestServer,
  startCuttingServer,
  startSilentServer,
  startSmtpServer,
} from '../../support/smtp-server.ts'
import { until } from '../../support/until.ts'

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

const serve = async (options: Parameters<typeof startSmtpServer>[0] = {}): Promise<SmtpTestServer> => {
  const server = await startSmtpServer(options)
  closers.push(server.close)
  return server
}

const send = (options: Parameters<typeof newSender>[1] = {}) => {
  const sender = newSender(app, options)
  closers.push(sender.close)
  return sender
}

/** An address of this machine at which nobody listens. */
const nobody = async (): Promise<string> => {
  const server = await startSmtpServer()
  await server.close()
  return server.url
}

test('a mail arrives once, at the address and in the name of its user, in plain text and in markup', async () => {
  const server = await serve()
  await askFor(app, passwordChanged(seller.id))
  await sendAll(send({ url: server.url }))
  expect(server.taken).toMatchObject([
    {
      from: 'no-reply@pagamentos.example.com',
      to: [seller.email],
      email: {
        from: { name: 'Exemplo Pagamentos', address: 'no-reply@pagamentos.example.com' },
        to: [{ name: 'Maria da Silva', address: seller.email }],
        subject: 'Sua senha foi alterada',
        text: expect.stringContaining('20 de novembro de 2026 às 10:31 (horário de Brasília)'),
        html: expect.stringContaining('20 de novembro de 2026 às 10:31 (horário de Brasília)'),
      },
    },
  ])
  const email = server.taken[0]?.email
  expect(email?.headers.find(({ key }) => key === 'auto-submitted')?.value).toBe('auto-generated')
  const [row] = await mailRows(app)
  expect(email?.messageId).toBe(row?.message_id)
  expect(row).toMatchObject({ status: 'sent', attempts_made: 1, reason: null })
})

test('what a mail says is kept sealed or not at all: its token while it waits, and nothing once it was sent', async () => {
  const server = await serve()
  await askFor(app, verification('new@example.com', 'tok-of-the-link'))
  const [waiting] = await mailRows(app)
  expect(waiting).toMatchObject({ data: { validUntil: CHANGED_AT }, recipient_address: 'new@example.com' })
  expect(waiting?.secret_sealed).toMatch(/^v1\./)
  expect(JSON.stringify(waiting)).not.toContain('tok-of-the-link')
  await sendAll(send({ url: server.url }))
  expect(server.taken[0]?.email.text).toContain('https://pay.example.com/account/verify-email#token=tok-of-the-link')
  const [sent] = await mailRows(app)
  expect(sent).toMatchObject({ status: 'sent', data: null, secret_sealed: null, recipient_address: null })
})

test('a mail of a transaction that is rolled back is never sent', async () => {
  const server = await serve()
  const given = app.services.transact(async (tx) => {
    await tx.mails.add([passwordChanged(seller.id)])
    throw new Error('changed its mind')
  })
  await expect(given).rejects.toThrow('changed its mind')
  await sendAll(send({ url: server.url }))
  expect([server.taken.length, await mailRows(app)]).toEqual([0, []])
})

test('a commit with a mail lets the job run at once', async () => {
  await app.sql.query("delete from jobs where name = 'sendMails'")
  await askFor(app, passwordChanged(seller.id))
  const { rows } = await app.sql.query("select next_run_at <= now() as due from jobs where name = 'sendMails'")
  expect(rows).toEqual([{ due: true }])
})

test('4xx: a mail that the server wants later is sent later, under the same Message-ID', async () => {
  const replies = [replyOf(451), undefined]
  const seen: (string | undefined)[] = []
  const server = await serve({
    judge: ({ email }) => {
      seen.push(email.messageId)
      const reply = replies.shift()
      if (reply) throw reply
    },
  })
  await askFor(app, passwordChanged(seller.id))
  const sender = send({ url: server.url })
  await sendAll(sender)
  const [waiting] = await mailRows(app)
  expect(waiting).toMatchObject({ status: 'waiting', attempts_made: 1, last_result: 'deferred', reply_code: 451 })
  expect(waiting?.wait_seconds).toBeGreaterThan(50)
  expect(waiting?.wait_seconds).toBeLessThanOrEqual(60)
  await letHoursPass(app, 1 / 60)
  await sendAll(sender)
  expect(server.taken).toHaveLength(1)
  expect(seen).toEqual([waiting?.message_id, waiting?.message_id])
  expect(await mailRows(app)).toMatchObject([{ status: 'sent', attempts_made: 2, reply_code: null }])
})

test.each([
  [
    'a recipient',
    {
      judgeRecipient: () => {
        throw replyOf(550)
      },
    },
    550,
  ],
  [
    'a message',
    {
      judge: () => {
        throw replyOf(554)
      },
    },
    554,
  ],
])('5xx: a mail of which the server refuses %s has failed, and says nothing any more', async (_what, options, code) => {
  const server = await serve(options)
  await askFor(app, verification('gone@example.com', 'tok'))
  const sender = send({ url: server.url })
  await sendAll(sender)
  await letHoursPass(app, 1)
  await sendAll(sender)
  expect(server.taken).toEqual([])
  expect(await mailRows(app)).toMatchObject([
    { status: 'failed', reason: 'refused', attempts_made: 1, reply_code: code, data: null, secret_sealed: null },
  ])
})

test.each([421, 503, 530, 535])('%i: what a server says of itself ends no mail', async (code) => {
  const server = await serve({
    judgeRecipient: () => {
      throw replyOf(code)
    },
  })
  await askFor(app, passwordChanged(seller.id))
  await sendAll(send({ url: server.url }))
  expect(await mailRows(app)).toMatchObject([{ status: 'waiting', attempts_made: 1, reply_code: code }])
})

test('one refused recipient does not keep the others from getting their mail', async () => {
  const server = await serve({
    judgeRecipient: (address) => {
      if (address === 'gone@example.com') throw replyOf(550)
    },
  })
  await askFor(
    app,
    verification('gone@example.com', 'a'),
    passwordChanged(seller.id),
    verification('b@example.com', 'b'),
  )
  await sendAll(send({ url: server.url }))
  expect(server.taken.map(({ to }) => to[0]).sort()).toEqual(['b@example.com', seller.email])
  expect((await mailRows(app)).map(({ status }) => status)).toEqual(['failed', 'sent', 'sent'])
})

test('nobody listens: the run ends at once, whatever waits, and nothing is lost', async () => {
  await askFor(app, ...Array.from({ length: 12 }, () => passwordChanged(seller.id)))
  const sender = send({ url: await nobody() })
  expect(await sender.runOnce()).toBe(0)
  const rows = await mailRows(app)
  expect(rows.filter(({ attempts_made }) => attempts_made === 1)).toHaveLength(5)
  expect(rows.every(({ status }) => status === 'waiting')).toBe(true)
  expect(rows.find(({ last_result }) => last_result !== null)?.last_result).toBe('connection')
})

test('a server that is away for hours loses no mail: each arrives once when it is back', async () => {
  const url = await nobody()
  const sender = send({ url })
  for (let hour = 0; hour < 12; hour += 1) {
    if (hour % 2 === 0) await askFor(app, passwordChanged(seller.id))
    await sendAll(sender)
    await letHoursPass(app, 1)
  }
  const waiting = await mailRows(app)
  expect(waiting).toHaveLength(6)
  expect(waiting.every(({ status }) => status === 'waiting')).toBe(true)
  // At most an hour is between two attempts, so that what waits goes out soon after the server is back.
  expect(Math.max(...waiting.map(({ wait_seconds }) => wait_seconds ?? 0))).toBeLessThanOrEqual(3_600)
  const back = await serve({ port: Number(new URL(url).port) })
  await letHoursPass(app, 1)
  await sendAll(sender)
  expect(back.taken).toHaveLength(6)
  expect(new Set(back.taken.map(({ email }) => email.messageId)).size).toBe(6)
})

test('after four days a mail is given up, says nothing any more, and is counted', async () => {
  await askFor(app, verification('a@example.com', 'tok'))
  const sender = send({ url: await nobody() })
  await sendAll(sender)
  await letHoursPass(app, 95)
  await sendAll(sender)
  expect(await mailRows(app)).toMatchObject([{ status: 'waiting', attempts_made: 2 }])
  await letHoursPass(app, 1.1)
  await sendAll(sender)
  expect(await mailRows(app)).toMatchObject([
    { status: 'failed', reason: 'expired', attempts_made: 2, data: null, secret_sealed: null, recipient_address: null },
  ])
  expect((await app.services.read.mails.findBacklog()).failedCount).toBe(1)
})

test('without a server mails are kept as they are, and given up in time', async () => {
  await askFor(app, passwordChanged(seller.id))
  const sender = send()
  expect(await sender.runOnce()).toBe(0)
  expect(await mailRows(app)).toMatchObject([{ status: 'waiting', attempts_made: 0, data: { changedAt: CHANGED_AT } }])
  await letHoursPass(app, 97)
  expect(await sender.runOnce()).toBe(1)
  expect(await mailRows(app)).toMatchObject([{ status: 'failed', reason: 'expired' }])
})

test('a server that hangs after taking the mail is left at the deadline, and the mail tried again', async () => {
  const hanging = Promise.withResolvers<void>()
  const server = await serve({ judge: () => hanging.promise })
  await askFor(app, passwordChanged(seller.id))
  const begunMs = performance.now()
  expect(await send({ url: server.url, deadlineMs: 300 }).runOnce()).toBe(0)
  expect(performance.now() - begunMs).toBeLessThan(5_000)
  expect(await mailRows(app)).toMatchObject([{ status: 'waiting', attempts_made: 1, last_result: 'timeout' }])
  hanging.resolve()
})

test('a server that never greets is left when its time is up', async () => {
  const { port, close } = await startSilentServer()
  closers.push(close)
  await askFor(app, passwordChanged(seller.id))
  expect(await send({ url: `smtp://127.0.0.1:${port}`, connectTimeoutMs: 200 }).runOnce()).toBe(0)
  expect(await mailRows(app)).toMatchObject([{ status: 'waiting', attempts_made: 1, last_result: 'timeout' }])
})

test.each(['greeting', 'EHLO', 'MAIL', 'RCPT', 'DATA', '.'] as const)(
  'a server that hangs up at %s ends no mail: it arrives when the server is well',
  async (word) => {
    const cutting = await startCuttingServer(word)
    closers.push(cutting.close)
    await askFor(app, passwordChanged(seller.id))
    expect(await send({ url: cutting.url }).runOnce()).toBe(0)
    expect(cutting.cuts()).toBe(1)
    expect(await mailRows(app)).toMatchObject([{ status: 'waiting', attempts_made: 1, last_result: 'connection' }])
    await letHoursPass(app, 1)
    const server = await serve()
    await sendAll(send({ url: server.url }))
    expect(server.taken).toHaveLength(1)
  },
)

test('several workers send each mail once', async () => {
  const server = await serve({ judge: () => wait(5) })
  await askFor(app, ...Array.from({ length: 60 }, () => passwordChanged(seller.id)))
  await Promise.all([1, 2, 3].map(() => sendAll(send({ url: server.url }))))
  expect(server.taken).toHaveLength(60)
  expect(new Set(server.taken.map(({ email }) => email.messageId)).size).toBe(60)
  expect((await mailRows(app)).every(({ status, attempts_made }) => status === 'sent' && attempts_made === 1)).toBe(
    true,
  )
})

test('what a dead worker held is sent by another when its lease ends, and not before', async () => {
  const server = await serve()
  await askFor(app, passwordChanged(seller.id))
  const lease = { token: app.services.newId(), leaseMs: 60_000, domain: 'example.com' }
  expect(await app.services.transact((tx) => tx.mailQueue.claim(lease, 10))).toHaveLength(1)
  const sender = send({ url: server.url })
  await sendAll(sender)
  expect(server.taken).toEqual([])
  await letHoursPass(app, 1.1 / 60)
  await sendAll(sender)
  expect(server.taken).toHaveLength(1)
})

test('what a worker says whose lease has passed to another changes nothing', async () => {
  await askFor(app, passwordChanged(seller.id))
  const claim = (token: string) =>
    app.services.transact((tx) => tx.mailQueue.claim({ token, leaseMs: 1_000, domain: 'example.com' }, 10))
  const [stale] = await claim(app.services.newId())
  await letHoursPass(app, 1)
  const [current] = await claim(app.services.newId())
  if (stale === undefined || current === undefined) throw new Error('nothing was leased')
  const { transact } = app.services
  expect(await transact((tx) => tx.mailQueue.end(stale, 'failed', { reason: 'refused' }))).toBe(false)
  expect(await transact((tx) => tx.mailQueue.postpone(stale, 0, { lastResult: 'timeout', replyCode: null }))).toBe(
    false,
  )
  expect(await transact((tx) => tx.mailQueue.end(current, 'sent', {}))).toBe(true)
  expect(await transact((tx) => tx.mailQueue.end(current, 'failed', {}))).toBe(false)
})

test('an outcome that cannot be written at once is written a moment later: the mail is not sent again', async () => {
  const server = await serve()
  await askFor(app, passwordChanged(seller.id))
  await app.sql.query(`create function refuse_mail() returns trigger language plpgsql as $$
    begin raise exception 'refused' using errcode = 'disk_full'; end $$`)
  const sender = send({ url: server.url })
  const refuse =
    "create trigger refuse_mail before update on mails for each row when (new.status = 'sent') execute function refuse_mail()"
  await app.sql.query(refuse)
  const running = sendAll(sender)
  await until('the mail was taken', () => server.taken.length === 1)
  await app.sql.query('drop function refuse_mail() cascade')
  await running
  expect(await mailRows(app)).toMatchObject([{ status: 'sent', attempts_made: 1 }])
  expect(server.taken).toHaveLength(1)
})

test('the language is the one that the mail asks for, else the one that its user has chosen', async () => {
  const server = await serve()
  const body = {
    language: 'en',
    mails: { company: true, withdrawals: true, disputes: true, dailyDigest: true },
    payerReceipts: false,
  }
  const reader = await registerSeller(app)
  await app.api.put(`users/${reader.id}/notifications`, { token: reader.token, body })
  await askFor(app, passwordChanged(reader.id), { ...passwordChanged(reader.id), language: 'pt' })
  await sendAll(send({ url: server.url }))
  // The mail that verifies the address was asked for before they chose, and is written after.
  expect(server.taken.map(({ email }) => email.subject).sort()).toEqual([
    'Confirm your e-mail address',
    'Sua senha foi alterada',
    'Your password was changed',
  ])
})

test('an account that is deleted gets no mail any more, and what waited for it is erased', async () => {
  const server = await serve()
  const leaver = await registerSeller(app)
  const told = { validUntil: CHANGED_AT, invitedBy: 'Maria da Silva', team: 'Padaria da Maria' }
  await askFor(app, { ...passwordChanged(leaver.id), to: { userId: leaver.id, address: 'old@example.com' } } as never, {
    kind: 'invitation',
    sellerId: leaver.id,
    to: { address: 'friend@example.com' },
    data: told,
    secret: { token: 't' },
  })
  expect((await app.api.delete(`users/${leaver.id}`, { token: leaver.token })).status).toBe(204)
  const rows = await mailRows(app)
  expect(rows.map(({ kind }) => kind)).toEqual(['email_verification', 'password_changed', 'invitation'])
  expect(rows).toMatchObject(Array(3).fill({ status: 'canceled', reason: 'erased', data: null, secret_sealed: null }))
  const kept = JSON.stringify(rows)
  for (const personal of ['old@example.com', 'friend@example.com', 'Maria', 'Padaria', leaver.email]) {
    expect([personal, kept.includes(personal)]).toEqual([personal, false])
  }
  await askFor(app, passwordChanged(leaver.id))
  await sendAll(send({ url: server.url }))
  expect(server.taken).toEqual([])
  expect((await mailRows(app)).at(-1)).toMatchObject({ status: 'canceled', reason: 'no_recipient', data: null })
})

test('a mail that cannot be written is tried again: with another key, of a kind that is not known', async () => {
  const server = await serve()
  await askFor(app, verification('a@example.com', 'tok'), passwordChanged(seller.id), passwordChanged(seller.id))
  const [sealed, unknown] = await mailRows(app)
  await app.sql.query("update mails set secret_sealed = 'v1.AAAA' where id = $1", [sealed?.id])
  await app.sql.query("update mails set kind = 'of_tomorrow' where id = $1", [unknown?.id])
  await sendAll(send({ url: server.url }))
  expect(server.taken).toHaveLength(1)
  expect(await mailRows(app)).toMatchObject([
    { status: 'waiting', last_result: 'unwritten' },
    { status: 'waiting', last_result: 'unwritten' },
    { status: 'sent' },
  ])
})

test('neither addresses nor what mails say stand in the log', async () => {
  const lines: string[] = []
  const logger = pino({ level: 'trace' }, { write: (line: string) => void lines.push(line) })
  const server = await serve({
    judgeRecipient: (address) => {
      throw Object.assign(new Error(`${address} is unknown here`), { responseCode: 550 })
    },
  })
  await askFor(app, verification('secretive@example.com', 'tok-of-the-link'), passwordChanged(seller.id))
  await app.sql.query("update mails set secret_sealed = 'v1.AAAA' where kind = 'email_verification'")
  await sendAll(send({ url: server.url, logger }))
  await askFor(app, verification('secretive@example.com', 'tok-of-the-link'))
  await sendAll(send({ url: server.url, logger }))
  await sendAll(send({ url: await nobody(), logger }))
  const log = lines.join('\n')
  expect(log).toContain('a mail was not taken')
  expect(log).toContain('a mail could not be written')
  for (const told of ['secretive', seller.email, 'Maria', 'tok-of-the-link', 'unknown here']) {
    expect([told, log.includes(told)]).toEqual([told, false])
  }
})

test('mails are forgotten 30 days after they were asked for, those that wait never', async () => {
  const server = await serve()
  await askFor(app, passwordChanged(seller.id))
  await sendAll(send({ url: server.url }))
  await letHoursPass(app, 24 * 30 - 1)
  await askFor(app, passwordChanged(seller.id))
  await app.services.jobs.cleanUp.runOnce()
  expect(await mailRows(app)).toHaveLength(2)
  await letHoursPass(app, 2)
  await app.services.jobs.cleanUp.runOnce()
  expect(await mailRows(app)).toMatchObject([{ status: 'waiting' }])
})
