import type { Bank } from './bank.ts'
import { type Attempt, isSuccess } from './callback-caller.ts'
import type { CallbackAction } from './faults.ts'
import type { DueWork } from './schedule.ts'

/** One call to a merchant about something that happened to one of its keys. */
export type Callback = {
  id: number
  merchant_id: string
  key: string
  url: string
  /** `{"pix": […]}` */
  body: string
  state: 'waiting' | 'sending' | 'delivered' | 'dropped' | 'given_up'
  created_at: number
  due_at: number | null
  attempts: number
  last_status: number | null
  last_error: string | null
}

/** What is under way, in memory. */
export type CallbackState = {
  /** How many calls about one key may be under way at a time. With one, they arrive in order. */
  concurrency: number
  running: Map<string, number>
  calls: Set<Promise<void>>
  /** By the fault that holds them back until there are enough. */
  held: Map<number, number[]>
}

export const createCallbackState = (concurrency: number): CallbackState => ({
  concurrency,
  running: new Map(),
  calls: new Set(),
  held: new Map(),
})

/** Banks add `/pix` to the registered address as it is, also behind a query. */
export const callbackUrl = (webhookUrl: string): string => `${webhookUrl}/pix`

type NewCallback = { merchantId: string; key: string; url: string; body: string; dueAt: number | null }

const insert = ({ store, clock }: Bank, { merchantId, key, url, body, dueAt }: NewCallback): number =>
  store.insert(
    "INSERT INTO callbacks (merchant_id, key, url, body, state, created_at, due_at) VALUES (?, ?, ?, ?, 'waiting', ?, ?)",
    ...[merchantId, key, url, body, clock.now(), dueAt],
  )

const setDue = ({ store }: Bank, id: number, dueAt: number): void =>
  void store.run('UPDATE callbacks SET due_at = ? WHERE id = ?', dueAt, id)

/** Lets callbacks go one after the other, in this order. */
const letGo = (bank: Bank, ids: readonly number[]): void => {
  for (const [index, id] of ids.entries()) setDue(bank, id, bank.clock.now() + index)
}

const joinBodies = (bank: Bank, ids: readonly number[]): void => {
  const [first = 0, ...others] = ids
  const bodyOf = (id: number): unknown[] =>
    JSON.parse(bank.store.one<{ body: string }>('SELECT body FROM callbacks WHERE id = ?', id)?.body ?? '{"pix":[]}')
      .pix
  const body = JSON.stringify({ pix: ids.flatMap(bodyOf) })
  bank.store.run('UPDATE callbacks SET body = ?, due_at = ? WHERE id = ?', body, bank.clock.now(), first)
  for (const id of others) bank.store.run('DELETE FROM callbacks WHERE id = ?', id)
}

const hold = (bank: Bank, faultId: number, id: number, action: { kind: 'reorder' | 'group'; of: number }): void => {
  const { held } = bank.callbacks
  const ids = [...(held.get(faultId) ?? []), id]
  held.set(faultId, ids)
  bank.store.run('UPDATE callbacks SET due_at = NULL WHERE id = ?', id)
  if (ids.length < action.of) return
  held.delete(faultId)
  if (action.kind === 'group') joinBodies(bank, ids)
  else letGo(bank, ids.toReversed())
}

const disturb = (bank: Bank, callback: NewCallback, id: number, faultId: number, action: CallbackAction): void => {
  if (action.kind === 'drop') bank.store.run("UPDATE callbacks SET state = 'dropped' WHERE id = ?", id)
  else if (action.kind === 'double') insert(bank, callback)
  else if (action.kind === 'delay') setDue(bank, id, bank.clock.now() + action.ms)
  else hold(bank, faultId, id, action)
}

/** Calls the merchant back about one of its keys, where an address is registered for it. */
export const tell = (bank: Bank, merchantId: string, key: string, told: Record<string, unknown>): void => {
  const webhook = bank.store.one<{ url: string }>('SELECT url FROM webhooks WHERE key = ?', key)
  if (webhook === undefined) return
  const body = JSON.stringify({ pix: [told] })
  const callback = { merchantId, key, url: callbackUrl(webhook.url), body, dueAt: bank.clock.now() }
  const id = insert(bank, callback)
  const met = bank.faults.ofCallback({ merchantId, text: body })
  if (met !== undefined) disturb(bank, callback, id, met.id, met.action)
  bank.schedule.arm()
}

/** Sends any body to an address: what somebody would who wants to be taken for the PSP, or for another merchant. */
export const forge = (bank: Bank, merchantId: string, url: string, body: unknown): number => {
  const callback = { merchantId, key: 'forged', url, body: JSON.stringify(body), dueAt: bank.clock.now() }
  const id = insert(bank, callback)
  bank.schedule.arm()
  return id
}

/** Lets go what faults hold back, in the order in which it happened, and what was under way when the process died. */
export const releaseHeld = (bank: Bank): number => {
  bank.callbacks.held.clear()
  const sql = "SELECT id FROM callbacks WHERE state = 'waiting' AND due_at IS NULL ORDER BY id"
  const ids = bank.store.all<{ id: number }>(sql).map(({ id }) => id)
  letGo(bank, ids)
  bank.schedule.arm()
  return ids.length
}

/** After a start: calls whose answer nobody saw are made again. */
export const resumeCallbacks = (bank: Bank): void => {
  bank.store.run("UPDATE callbacks SET state = 'waiting' WHERE state = 'sending'")
  releaseHeld(bank)
}

const settled = (bank: Bank, { attempts }: Callback, attempt: Attempt): { state: string; dueAt: number | null } => {
  if (isSuccess(attempt)) return { state: 'delivered', dueAt: null }
  const waitSeconds = bank.settings.get().callbackRetrySeconds[attempts]
  if (waitSeconds === undefined) return { state: 'given_up', dueAt: null }
  return { state: 'waiting', dueAt: bank.clock.now() + waitSeconds * 1_000 }
}

const deliver = async (bank: Bank, callback: Callback): Promise<void> => {
  const { running } = bank.callbacks
  const timeoutMs = bank.settings.get().callbackTimeoutMs
  const attempt = await bank.caller.call(callback.url, callback.body, { timeoutMs })
  const { state, dueAt } = settled(bank, callback, attempt)
  bank.store.run(
    'UPDATE callbacks SET state = ?, due_at = ?, attempts = attempts + 1, last_status = ?, last_error = ? WHERE id = ?',
    ...[state, dueAt, 'status' in attempt ? attempt.status : null, 'error' in attempt ? attempt.error : null],
    callback.id,
  )
  running.set(callback.key, (running.get(callback.key) ?? 1) - 1)
  bank.schedule.arm()
}

/** Keys about which as many calls are under way as may be. */
const busyKeys = ({ callbacks: { running, concurrency } }: Bank): string =>
  JSON.stringify([...running].filter(([, calls]) => calls >= concurrency).map(([key]) => key))

const DUE = "state = 'waiting' AND due_at IS NOT NULL AND key NOT IN (SELECT value FROM json_each(?))"

const nextDue = (bank: Bank): Callback | undefined =>
  bank.store.one<Callback>(
    `SELECT * FROM callbacks WHERE ${DUE} AND due_at <= ? ORDER BY due_at, id LIMIT 1`,
    ...[busyKeys(bank), bank.clock.now()],
  )

const start = (bank: Bank, callback: Callback): void => {
  const { running, calls } = bank.callbacks
  bank.store.run("UPDATE callbacks SET state = 'sending' WHERE id = ?", callback.id)
  running.set(callback.key, (running.get(callback.key) ?? 0) + 1)
  const call = deliver(bank, callback).finally(() => calls.delete(call))
  calls.add(call)
}

/** Callbacks leave when their moment comes. */
export const callbackWork = (bank: Bank): DueWork => ({
  nextDueAt: () =>
    bank.store.one<{ due: number | null }>(`SELECT min(due_at) AS due FROM callbacks WHERE ${DUE}`, busyKeys(bank))
      ?.due ?? undefined,
  run: () => {
    for (let callback = nextDue(bank); callback; callback = nextDue(bank)) start(bank, callback)
  },
})

export const listCallbacks = ({ store }: Bank, merchantId: string | undefined): Callback[] =>
  store
    .all<Callback>(
      'SELECT * FROM callbacks WHERE ? IS NULL OR merchant_id = ? ORDER BY id DESC LIMIT 1000',
      merchantId ?? null,
      merchantId ?? null,
    )
    .toReversed()
