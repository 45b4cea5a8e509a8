import { createServer, type Server, type Socket } from 'node:net'

// A receiver that costs as little as one can: what is measured beside it is the sender. `/hang` never answers.
const ANSWER = Buffer.from('HTTP/1.1 204 No Content\r\n\r\n')
const END_OF_HEAD = Buffer.from('\r\n\r\n')
const LENGTH = /content-length: (\d+)/i
const REPORT_EVERY_MS = 100

const counts = { received: 0, hanging: 0, hangingMax: 0, sockets: 0, firstAt: 0, lastAt: 0 }

const take = (socket: Socket, head: string): void => {
  if (head.startsWith('POST /hang')) {
    counts.hanging += 1
    counts.hangingMax = Math.max(counts.hangingMax, counts.hanging)
    socket.once('close', () => {
      counts.hanging -= 1
    })
    return
  }
  counts.received += 1
  counts.lastAt = Date.now()
  counts.firstAt ||= counts.lastAt
  socket.write(ANSWER)
}

/** Takes every whole request. Answers what is left: the beginning of the next one. */
const takeAll = (socket: Socket, bytes: Buffer): Buffer => {
  let rest = bytes
  for (;;) {
    const end = rest.indexOf(END_OF_HEAD)
    if (end < 0) return rest
    const head = rest.toString('latin1', 0, end)
    const size = end + END_OF_HEAD.length + Number(LENGTH.exec(head)?.[1] ?? 0)
    if (rest.length < size) return rest
    rest = rest.subarray(size)
    take(socket, head)
  }
}

const serve = (socket: Socket): void => {
  counts.sockets += 1
  let rest: Buffer = Buffer.alloc(0)
  socket.on('close', () => {
    counts.sockets -= 1
  })
  socket.on('error', () => undefined)
  socket.on('data', (chunk) => {
    rest = takeAll(socket, rest.length === 0 ? chunk : Buffer.concat([rest, chunk]))
  })
}

/** Listens on a free port and tells its parent process every 100 ms what has arrived. */
const server: Server = createServer({ noDelay: true }, serve)
server.listen(0, '127.0.0.1', () => {
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('the sink has no port')
  process.send?.({ port: address.port })
  setInterval(() => process.send?.({ counts }), REPORT_EVERY_MS).unref()
})
process.on('message', (message) => {
  if (message === 'forget') Object.assign(counts, { received: 0, hangingMax: counts.hanging, firstAt: 0, lastAt: 0 })
})
process.on('disconnect', () => process.exit(0))
