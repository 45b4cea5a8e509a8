import type { Statement } from './statement.ts'

type Run = (statement: Statement) => Promise<unknown>
type Waiting = { statement: Statement; resolve: (result: { rows: [] }) => void; reject: (error: unknown) => void }

const PLACEHOLDER = /\$(\d+)/g

/** One statement that does what these do. They see none of each other's rows, but what refers to them may be among them. */
const joined = (statements: readonly Statement[]): Statement => {
  const values: unknown[] = []
  const texts = statements.map(({ text, values: own }) => {
    const before = values.length
    values.push(...own)
    return before === 0 ? text : text.replace(PLACEHOLDER, (_, number: string) => `$${Number(number) + before}`)
  })
  const last = texts.pop()
  if (texts.length === 0) return { text: last ?? '', values }
  return { text: `with ${texts.map((text, index) => `insert_${index} as (${text})`).join(', ')} ${last}`, values }
}

/**
 * Sends the inserts of one turn of the event loop as one statement: what it costs to begin and end a statement, here and
 * in Postgres, is a third of what the inserts of a small batch cost. The order among them is lost, the order to
 * every other statement is kept by `sendWaiting`, which goes before it. What fails one of them fails them all.
 */
export const joinInserts = (run: Run) => {
  let waiting: Waiting[] = []

  const sendWaiting = (): void => {
    if (waiting.length === 0) return
    const together = waiting
    waiting = []
    run(joined(together.map(({ statement }) => statement))).then(
      () => {
        for (const { resolve } of together) resolve({ rows: [] })
      },
      (error: unknown) => {
        for (const { reject } of together) reject(error)
      },
    )
  }

  const add = (statement: Statement): Promise<{ rows: [] }> => {
    // Two inserts into one table would not find each other's rows where they conflict.
    if (waiting.some(({ statement: { insertsInto } }) => insertsInto === statement.insertsInto)) sendWaiting()
    if (waiting.length === 0) process.nextTick(sendWaiting)
    return new Promise((resolve, reject) => waiting.push({ statement, resolve, reject }))
  }

  return { add, sendWaiting }
}
