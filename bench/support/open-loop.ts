import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import { percentile } from './table.ts'

type Sent = { path: string; headers: Record<string, string>; body: string }

export type OpenLoopOptions = {
  url: string
  /** Requests that arrive each second, whether or not earlier ones have been answered. */
  perSecond: number
  seconds: number
  connections: number
  /** The request of each number. */
  requestOf: (number: number) => Sent
}

/** What became of those who came. Latencies in milliseconds, from the moment at which the request was due. */
export type OpenLoopResult = {
  due: number
  answered: number
  dropped: number
  failures: number
  p50: number
  p99: number
}

/** So many may wait for an answer, in a queue of the generator or on its connections. Who comes then is turned away. */
const WAITING_MAX = 1_000
const TICK_MS = 1

const textOf = ({ path, headers, body }: Sent): string => {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  return `POST ${path} HTTP/1.1\r\nhost: bench\r\ncontent-length: ${Buffer.byteLength(body)}\r\n${lines.join('')}\r\n${body}`
}

const END_OF_HEAD = '\r\n\r\n'
const LENGTH = /^content-length: (\d+)/im

/** The status of the answer that a text holds, once it is whole. */
const statusOf = (text: string): number | undefined => {
  const end = text.indexOf(END_OF_HEAD)
  if (end < 0) return undefined
  const [, length = '0'] = LENGTH.exec(text.slice(0, end)) ?? []
  return text.length < end + END_OF_HEAD.length + Number(length) ? undefined : Number(text.slice(9, 12))
}

// A client of HTTP would take twice as much of the processors, which are those of what is measured.
const openConnection = async (url: string) => {
  const { hostname, port } = new URL(url)
  const socket: Socket = connect({ host: hostname, port: Number(port), noDelay: true })
  await once(socket, 'connect')
  // Each byte is a character: lengths are those of the wire.
  socket.setEncoding('latin1')
  let received = ''
  let answer: ((status: number) => void) | undefined
  const settle = (status: number) => {
    received = ''
    answer?.(status)
  }
  socket.on('data', (text: string) => {
    received += text
    const status = statusOf(received)
    if (status !== undefined) settle(status)
  })
  socket.on('error', () => settle(0))
  socket.on('close', () => settle(0))
  return {
    /** The status of the answer; 0: there was none. */
    send: (text: string): Promise<number> => {
      if (socket.destroyed) return Promise.resolve(0)
      return new Promise((resolve) => {
        answer = resolve
        socket.write(text)
      })
    },
    close: () => socket.destroy(),
  }
}

/**
 * Open-loop load: requests come at a steady pace that knows nothing of the answers, as customers do. A server that falls
 * behind is seen in the latencies and in those who were dropped, where a closed loop would just send less.
 */
export const openLoop = async ({ url, requestOf, ...load }: OpenLoopOptions): Promise<OpenLoopResult> => {
  const { perSecond, seconds } = load
  const connections = await Promise.all(Array.from({ length: load.connections }, () => openConnection(url)))
  const idle = [...connections]
  const queue: { text: string; dueAtMs: number }[] = []
  const due = Math.floor(perSecond * seconds)
  const latencies: number[] = []
  let waiting = 0
  let dropped = 0
  let failures = 0

  const serve = async (connection: (typeof connections)[number]): Promise<void> => {
    for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
      const status = await connection.send(next.text)
      waiting -= 1
      if (status >= 200 && status < 300) latencies.push(performance.now() - next.dueAtMs)
      else failures += 1
    }
    idle.push(connection)
  }

  const beganAtMs = performance.now()
  for (let number = 0; number < due; number += 1) {
    const dueAtMs = beganAtMs + (number / perSecond) * 1_000
    while (performance.now() < dueAtMs) await wait(TICK_MS)
    if (waiting >= WAITING_MAX) {
      dropped += 1
      continue
    }
    waiting += 1
    queue.push({ text: textOf(requestOf(number)), dueAtMs })
    const connection = idle.pop()
    if (connection) void serve(connection)
  }
  while (waiting > 0) await wait(TICK_MS)
  for (const connection of connections) connection.close()
  latencies.sort((a, b) => a - b)
  return {
    due,
    answered: latencies.length,
    dropped,
    failures,
    p50: percentile(latencies, 0.5),
    p99: percentile(latencies, 0.99),
  }
}
