/** How long statements of a connection may take, in milliseconds (docs/adr/0024-limits-on-statements.md). */
export type Limits = Readonly<{
  /** Without an answer for this long the connection is ended: a server that hangs says nothing of it itself. */
  answerMs: number
  /** The server ends a statement that runs this long. Less than the above, so that its refusal is heard. */
  statementMs: number
  /** The server gives up waiting for somebody else's lock. */
  lockMs: number
  /** The server ends a transaction whose process has nothing more to say to it, and frees what it has locked. */
  idleInTransactionMs: number
}>

/** Somebody waits for the answer, and is told within five seconds that there is none. */
export const REQUEST_LIMITS: Limits = {
  answerMs: 4_000,
  statementMs: 3_500,
  lockMs: 700,
  idleInTransactionMs: 10_000,
}

/** Reports, and jobs that read or clean up much. */
export const LONG_LIMITS: Limits = {
  answerMs: 65_000,
  statementMs: 60_000,
  lockMs: 2_000,
  idleInTransactionMs: 60_000,
}

const HOUR_MS = 3_600_000

/** Commands that somebody runs by hand and watches, over everything that there is. */
export const COMMAND_LIMITS: Limits = {
  answerMs: HOUR_MS + 5_000,
  statementMs: HOUR_MS,
  lockMs: 10_000,
  idleInTransactionMs: HOUR_MS,
}
