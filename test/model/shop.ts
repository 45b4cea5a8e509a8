import { isDeepStrictEqual } from 'node:util'
import type { Random } from '../../scripts/seed/random.ts'
import type { Answer, Seller, Word, World } from './book.ts'
import type { Account, Client, Reply } from './client.ts'
import { comingTo } from './coming.ts'
import type { Platform } from './platform.ts'
import { advance } from './time.ts'
import { receive } from './words.ts'

/** A request under a key, and the model's own doing of it, by the id that the platform gave. */
export type Named = {
  /** The seller, unless said otherwise; null: somebody whom nobody knows. */
  by?: Account | null
  path: string
  key: string
  body: object
  /** What is sent by mistake under the same key. */
  mistakenBody?: object
  act: (id: string) => Answer
}

/** One seller as a run plays it: what the model knows of them, and how they reach the platform. */
export type Shop = {
  number: number
  seller: Seller
  account: Account
  admin: Account
  companyId: string
  /** Payments of other sellers, as they were when the round began. */
  foreignIds: readonly string[]
  reserveConfigId: string
  withdrawalConfigId: string
  random: Random
  world: World
  client: Client
  platform: Platform
  /** Requests that may be repeated under their keys. */
  named: Named[]
  /** What was done, last of all the line of the step that is under way. */
  trace: string[]
}

/** The platform did something else than the model says. */
export class Mismatch extends Error {
  override readonly name = 'Mismatch'
}

/** Adds to the line of the step under way what it does. */
export const note = ({ trace }: Shop, text: string): void => {
  trace[trace.length - 1] += ` ${text}`
}

const shown = (value: unknown): string => JSON.stringify(value) ?? 'nothing'

/** Throws Mismatch where something does not have the values that it must have. */
export const expectFields = (what: string, actual: Record<string, unknown>, expected: object): void => {
  for (const [field, value] of Object.entries(expected)) {
    if (isDeepStrictEqual(actual[field], value)) continue
    throw new Mismatch(`${what}: ${field} is ${shown(actual[field])}, the model says ${shown(value)}`)
  }
}

/** Throws Mismatch where a reply is not the one that the model predicts. */
export const expectReply = (what: string, { status, body, text }: Reply, expected: Answer): void => {
  if (status !== expected.status || (expected.code !== undefined && body?.code !== expected.code)) {
    const wanted = `${expected.status} ${expected.code ?? ''}`
    throw new Mismatch(`${what}: answered ${status} ${text.slice(0, 300)}, the model says ${wanted}`)
  }
  if (expected.view) expectFields(what, body, expected.view)
}

/** The acquirer has said something, and the platform has answered: both sides make of it what they must. */
export const hearWord = async ({ platform, seller, world }: Shop, word: Word): Promise<void> => {
  const hours = await platform.settle()
  receive(world, seller, word)
  if (hours > 0) advance(world, hours)
}

const KEPT_MS = 24 * 3_600_000

/**
 * Sends a request under a key. Within a day a repeat must be answered word for word like the first one, and another
 * body be refused; then it acts anew.
 */
export const sendNamed = async ({ seller, world, client, account, named }: Shop, sent: Named): Promise<Reply> => {
  const { path, key, act, by = account } = sent
  const body = JSON.stringify(sent.body)
  const name = `${path} ${key}`
  const first = seller.answers.get(name)
  const reply = await client.post(path, { as: by, body: sent.body, key })
  if (first && world.nowMs - first.atMs < KEPT_MS) {
    if (first.body !== body) {
      expectReply(`repeat of ${name} with another body`, reply, { status: 422, code: 'idempotency.key_reused' })
      return reply
    }
    expectReply(`repeat of ${name}`, reply, first.answer)
    if (!reply.isReplayed) throw new Mismatch(`repeat of ${name}: not marked as a repeat`)
    return reply
  }
  const answer = act(reply.body?.id ?? '')
  expectReply(`POST ${path} ${body}`, reply, answer)
  const view = reply.status < 300 ? reply.body : undefined
  seller.answers.set(name, { body, atMs: world.nowMs, answer: view ? { ...answer, view } : answer })
  if (first === undefined) named.push(sent)
  return reply
}

/** Throws Mismatch where a seller's balance is not the model's, to the centavo, in every bucket. */
export const expectBalance = async ({ seller, client, account, world }: Shop): Promise<void> => {
  const { available, pending, reserved, blocked, withdrawing } = seller.book
  const reply = await client.get('balance', { as: account })
  expectReply('GET balance', reply, {
    status: 200,
    view: {
      availableAmount: available,
      pendingAmount: pending,
      reservedAmount: reserved,
      blockedAmount: blocked,
      withdrawingAmount: withdrawing,
      totalAmount: available + pending + reserved + blocked + withdrawing,
      ...comingTo(seller, world.nowMs),
    },
  })
}

const BOOK = {
  name: 'book',
  text: 'select account, balance_amount from ledger_accounts where seller_id = $1',
}

/** Throws Mismatch where an account of a seller's book, the platform's own included, is not the model's. */
export const expectBooks = async ({ platform, seller }: Shop): Promise<void> => {
  const { rows } = await platform.pool.query<{ account: string; balance_amount: string }>({
    ...BOOK,
    values: [seller.id],
  })
  const held = Object.fromEntries(rows.map((row) => [row.account, Number(row.balance_amount)]))
  expectFields('the book', held, seller.book)
}
