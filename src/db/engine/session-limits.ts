import type { ClientBase } from 'pg'
import type { Limits } from '../limits.ts'

const settingsOf = ({ statementMs, lockMs, idleInTransactionMs }: Limits): [name: string, value: string][] => [
  ['statement_timeout', String(statementMs)],
  ['lock_timeout', String(lockMs)],
  ['idle_in_transaction_session_timeout', String(idleInTransactionMs)],
]

const ownProcess = new WeakSet<ClientBase>()
const settingsOfTransactions = new WeakMap<ClientBase, string>()

// One statement, because it goes before the first answer on each connection.
const PREPARE = `
  select name, set_config(name, value, false) from json_each_text($2::json) as setting (name, value)
  where pg_backend_pid() = $1`

/**
 * Looks, once a connection is open, whether one process of the server serves it as long as it lives, and gives it its
 * limits. A pooler gives each transaction to another process: there limits of a session would be somebody else's, and each
 * transaction brings its own.
 */
export const prepareSession =
  (limits: Limits) =>
  async (client: ClientBase & { processID?: number | null }): Promise<void> => {
    const settings = settingsOf(limits)
    const { rowCount } = await client.query(PREPARE, [client.processID, JSON.stringify(Object.fromEntries(settings))])
    if (rowCount === settings.length) ownProcess.add(client)
    else {
      const local = settings.map(([name, value]) => `; set local ${name} = ${value}`)
      settingsOfTransactions.set(client, local.join(''))
    }
  }

/** Whether one process of the server serves a connection as long as it lives, and knows what it was told before. */
export const hasOwnProcess = (client: ClientBase): boolean => ownProcess.has(client)

/** What begins a transaction, with the limits that it has to bring along. */
export const openingOf = (client: ClientBase, begin: string): string =>
  `${begin}${settingsOfTransactions.get(client) ?? ''}`
