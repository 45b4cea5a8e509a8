import { Readable } from 'node:stream'

/** Proxies and browsers give up on silence. */
const HEARTBEAT_MS = 15_000
/** How soon a browser comes back after the stream broke. */
const RETRY_MS = 2_000
/** Who does not read what is sent is not kept in memory. */
const BUFFERED_MAX_BYTES = 64 * 1024

/** Where events come from. `start` is called once; `stop` when the reader is gone. */
export type EventSource<Data> = {
  start: (send: (data: Data) => void, end: () => void) => void
  stop: () => void
}

/**
 * Server-sent events (https://html.spec.whatwg.org/multipage/server-sent-events.html): each datum as JSON under one
 * event name, with a comment from time to time so that the connection is seen to live.
 */
export const eventStream = <Data>(name: string, { start, stop }: EventSource<Data>): Readable => {
  let heartbeat: NodeJS.Timeout | undefined
  const stream = new Readable({
    read: () => undefined,
    destroy: (error, done) => {
      clearInterval(heartbeat)
      stop()
      done(error)
    },
  })
  const write = (text: string): void => {
    if (stream.destroyed || stream.readableEnded) return
    stream.push(text)
    if (stream.readableLength > BUFFERED_MAX_BYTES) stream.destroy()
  }
  heartbeat = setInterval(() => write(': still here\n\n'), HEARTBEAT_MS).unref()
  write(`retry: ${RETRY_MS}\n\n`)
  start(
    (data) => write(`event: ${name}\ndata: ${JSON.stringify(data)}\n\n`),
    () => {
      clearInterval(heartbeat)
      if (!stream.destroyed) stream.push(null)
    },
  )
  return stream
}
