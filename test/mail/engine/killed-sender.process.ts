import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../support/app.ts'
import { waitingForLocks } from '../../support/barrier.ts'
import { registerSeller, type Seller } from '../../support/factories.ts'
import {
  askFor,
  forgetMails,
  letHoursPass,
  mailRows,
  newSender,
  passwordChanged,
  sendAll,
} from '../../support/mails.ts'
import { replyOf, startSmtpServer } from '../../support/smtp-server.ts'
import { until } from '../../support/until.ts'

const SOURCE = join(import.meta.dirname, '..', '..', 'support', 'mail-worker.ts')
const BEYOND_THE_LEASE_HOURS = 3 / 60

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

/** Begins a process that sends what is due through a server. */
const begin = (smtpUrl: string): ChildProcess => {
  const { databaseUrl = '', encryptionKey, jwtSecret, dataDir } = app.config
  const child = spawn(process.execPath, [SOURCE], {
    env: {
      PATH: process.env.PATH,
      NODE_ENV: 'test',
      DATABASE_URL: databaseUrl,
      ENCRYPTION_KEY: encryptionKey,
      JWT_SECRET: jwtSecret,
      DATA_DIR: dataDir,
      SMTP_URL: smtpUrl,
      MAIL_FROM: 'no-reply@pagamentos.example.com',
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  closers.push(() => child.kill('SIGKILL'))
  return child
}

const kill = async (child: ChildProcess): Promise<void> => {
  const ended = once(child, 'exit')
  child.kill('SIGKILL')
  await ended
}

const sendTheRest = async (url: string): Promise<void> => {
  const sender = newSender(app, { url })
  closers.push(sender.close)
  await letHoursPass(app, BEYOND_THE_LEASE_HOURS)
  await sendAll(sender)
  await letHoursPass(app, BEYOND_THE_LEASE_HOURS)
  await sendAll(sender)
}

test('killed after the server took the mail and before that was written down: it arrives twice, under one Message-ID', async () => {
  const holder = await app.sql.connect()
  closers.push(() => holder.release())
  const server = await startSmtpServer({
    // From here on nothing can be written down of the mail.
    judge: async () => {
      if (server.taken.length > 0) return
      await holder.query('begin')
      await holder.query('select from mails for update')
    },
  })
  closers.push(server.close)
  await askFor(app, passwordChanged(seller.id))
  const child = begin(server.url)
  await until('the worker waits to write down that the mail was taken', async () => {
    return server.taken.length === 1 && (await waitingForLocks(app)) > 0
  })
  await kill(child)
  await holder.query('rollback')
  expect(await mailRows(app)).toMatchObject([{ status: 'waiting' }])

  await sendTheRest(server.url)
  const ids = server.taken.map(({ email }) => email.messageId)
  expect(ids).toHaveLength(2)
  expect(new Set(ids).size).toBe(1)
  expect(await mailRows(app)).toMatchObject([{ status: 'sent', message_id: ids[0] }])
})

test.each(['before', 'while'] as const)('killed %s the server takes the mail: it arrives once', async (moment) => {
  const reached = Promise.withResolvers<void>()
  const killed = Promise.withResolvers<void>()
  let isFirst = true
  const server = await startSmtpServer({
    judgeRecipient: () => {
      if (moment !== 'before' || !isFirst) return
      isFirst = false
      reached.resolve()
      throw replyOf(451)
    },
    judge: async () => {
      if (moment !== 'while' || !isFirst) return
      isFirst = false
      reached.resolve()
      await killed.promise
      // Whoever sent it is gone before the answer: it does not count as taken (RFC 5321, 4.2.5).
      throw replyOf(451)
    },
  })
  closers.push(server.close)
  await askFor(app, passwordChanged(seller.id))
  const child = begin(server.url)
  await reached.promise
  await kill(child)
  killed.resolve()
  expect(await mailRows(app)).toMatchObject([{ status: 'waiting' }])

  await sendTheRest(server.url)
  expect(server.taken).toHaveLength(1)
  expect(await mailRows(app)).toMatchObject([{ status: 'sent' }])
})

test('a worker that nobody kills sends and ends', async () => {
  const server = await startSmtpServer()
  closers.push(server.close)
  await askFor(app, passwordChanged(seller.id))
  const [code] = await once(begin(server.url), 'exit')
  expect([code, server.taken.length]).toEqual([0, 1])
  expect(await mailRows(app)).toMatchObject([{ status: 'sent', attempts_made: 1 }])
})
