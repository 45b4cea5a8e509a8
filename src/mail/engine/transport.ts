import type { Message } from './message.ts'

/**
 * What became of an attempt. `refused`: nobody will take this mail. `deferred`: its recipient's server wants it later.
 * `unreachable`: it has nothing to do with this mail, and others would fare the same. `result` says it in a word.
 */
export type Delivery =
  | { kind: 'sent' }
  | { kind: 'refused'; replyCode: number | null }
  | { kind: 'deferred'; replyCode: number | null }
  | { kind: 'unreachable'; result: 'connection' | 'timeout' | 'tls' | 'authentication'; replyCode: number | null }

/** How mails leave. */
export type MailTransport = {
  /** Never rejects because of what is at the other end. It is given up on when the signal is aborted. */
  send(message: Message, signal: AbortSignal): Promise<Delivery>
  close(): void
}
