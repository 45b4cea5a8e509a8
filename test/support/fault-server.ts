import { once } from 'node:events'
import { createServer, type Server, type Socket } from 'node:net'
import { createServer as createTlsServer, type TlsOptions } from 'node:tls'
import { gzipSync } from 'node:zlib'

/** One request as it came over the wire. Header names are in lower case. */
export type ReceivedRequest = {
  path: string
  headers: Readonly<Record<string, string>>
  body: Buffer
  /** 1 for the first request on its connection. */
  requestOfConnection: number
}

type Fault = (socket: Socket, request: ReceivedRequest, query: URLSearchParams) => void

type Options = {
  host?: string
  /** Serves TLS with these options; plain HTTP without them. */
  tls?: TlsOptions
}

const DRIP_EVERY_MS = 5
const CHUNK = Buffer.alloc(16 * 1024, 'x')
const GZIP_BOMB = gzipSync(Buffer.alloc(50 * 1024 * 1024), { level: 9 })

const answer = (
  status: number,
  headers: Readonly<Record<string, string | number>> = {},
  body: string | Buffer = '',
) => {
  const lines = Object.entries({ 'content-length': Buffer.byteLength(body), ...headers })
  const head = [`HTTP/1.1 ${status} Status`, ...lines.map(([name, value]) => `${name}: ${value}`), '', ''].join('\r\n')
  return Buffer.concat([Buffer.from(head), Buffer.from(body)])
}

const pour = (socket: Socket, chunk: Buffer): void => {
  while (!socket.destroyed && socket.write(chunk));
  socket.once('drain', () => pour(socket, chunk))
}

const drip = (socket: Socket, text: string): void => {
  const timer = setInterval(() => socket.write(text), DRIP_EVERY_MS)
  socket.once('close', () => clearInterval(timer))
}

/** One misbehaviour a route; `/status/<code>` is the well-behaved one. Query parameters become headers of its answer. */
const FAULTS: Readonly<Record<string, Fault>> = {
  status: (socket, { path }, query) => {
    const status = Number(path.split('/')[2]?.split('?')[0])
    socket.write(answer(status, Object.fromEntries(query), status === 204 || status === 304 ? '' : 'body'))
  },
  body: (socket, { body }) => socket.write(answer(200, {}, body)),
  hang: () => undefined,
  'headers-then-hang': (socket) => socket.write('HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\n'),
  'half-header-then-hang': (socket) => socket.write('HTTP/1.1 200 OK\r\ncontent-le'),
  drip: (socket) => {
    socket.write('HTTP/1.1 200 OK\r\ncontent-length: 60000\r\n\r\n')
    drip(socket, '.')
  },
  'drip-headers': (socket) => {
    socket.write('HTTP/1.1 200 OK\r\nx-drip: ')
    drip(socket, '.')
  },
  endless: (socket) => {
    socket.write('HTTP/1.1 200 OK\r\n\r\n')
    pour(socket, CHUNK)
  },
  'endless-error': (socket) => {
    socket.write('HTTP/1.1 500 Error\r\n\r\n')
    pour(socket, CHUNK)
  },
  'huge-content-length': (socket) => {
    socket.write(`HTTP/1.1 200 OK\r\ncontent-length: ${100 * 1024 * 1024}\r\n\r\n`)
    pour(socket, CHUNK)
  },
  'endless-chunked': (socket) => {
    socket.write('HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n')
    pour(socket, Buffer.concat([Buffer.from(`${CHUNK.length.toString(16)}\r\n`), CHUNK, Buffer.from('\r\n')]))
  },
  'chunked-without-end': (socket) => {
    socket.write('HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n5\r\nhello\r\n')
  },
  'gzip-bomb': (socket) => socket.write(answer(200, { 'content-encoding': 'gzip' }, GZIP_BOMB)),
  'large-header': (socket) => socket.write(answer(200, { 'x-large': 'a'.repeat(40_000) })),
  'early-hints': (socket) => {
    socket.write('HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\n'.repeat(5))
    socket.write(answer(200))
  },
  'interim-flood': (socket) => pour(socket, Buffer.from('HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\n'.repeat(50))),
  'continue-unasked': (socket) => socket.write('HTTP/1.1 100 Continue\r\n\r\n'),
  'reset-mid-body': (socket) => {
    socket.write('HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\nhal', () => socket.resetAndDestroy())
  },
  'close-mid-body': (socket) => socket.end('HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\nhal'),
  'close-mid-header': (socket) => socket.end('HTTP/1.1 200 OK\r\ncontent-le'),
  'close-before-answer': (socket) => socket.end(),
  'reset-before-answer': (socket) => socket.resetAndDestroy(),
  'http-0.9': (socket) => socket.end('<html>hello from 1991</html>'),
  'no-content-with-body': (socket) => socket.write(`${answer(204, { 'content-length': 5 })}hello`),
  'two-answers': (socket) => socket.write(Buffer.concat([answer(200, {}, 'first'), answer(500, {}, 'second')])),
  /** Answers the first request of a connection and closes at the second: a keep-alive that ended a moment too early. */
  'close-at-second': (socket, { requestOfConnection }) => {
    if (requestOfConnection === 1) socket.write(answer(200, {}, 'kept alive'))
    else socket.end()
  },
  'reset-at-second': (socket, { requestOfConnection }) => {
    if (requestOfConnection === 1) socket.write(answer(200, {}, 'kept alive'))
    else socket.resetAndDestroy()
  },
  /** As `close-at-second`, but after the first bytes of the second answer. */
  'half-answer-at-second': (socket, { requestOfConnection }) => {
    if (requestOfConnection === 1) socket.write(answer(200, {}, 'kept alive'))
    else socket.end('HTTP/1.1 200 OK\r\ncontent-le')
  },
}

const parseHead = (head: string) => {
  const [requestLine = '', ...lines] = head.split('\r\n')
  const headers = lines.map((line) => {
    const [name = '', ...value] = line.split(':')
    return [name.toLowerCase(), value.join(':').trim()] as const
  })
  return { path: requestLine.split(' ')[1] ?? '', headers: Object.fromEntries(headers) }
}

/** Cuts the bytes of one connection into requests. Knows Content-Length only, which is what our client sends. */
const readRequests = (socket: Socket, onRequest: (request: ReceivedRequest) => void): void => {
  let pending = Buffer.alloc(0)
  let requestOfConnection = 0
  socket.on('data', (chunk) => {
    pending = Buffer.concat([pending, chunk])
    for (;;) {
      const headEnd = pending.indexOf('\r\n\r\n')
      if (headEnd === -1) return
      const { path, headers } = parseHead(pending.subarray(0, headEnd).toString('latin1'))
      const bodyEnd = headEnd + 4 + Number(headers['content-length'] ?? 0)
      if (pending.length < bodyEnd) return
      requestOfConnection += 1
      const body = pending.subarray(headEnd + 4, bodyEnd)
      pending = pending.subarray(bodyEnd)
      onRequest({ path, headers, body, requestOfConnection })
    }
  })
}

const listen = async (server: Server, host: string): Promise<number> => {
  server.listen(0, host)
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('the server has no port')
  return address.port
}

/**
 * A receiver of webhooks that does everything wrong which a receiver can do, one route per misbehaviour.
 * It speaks on bare sockets, because an HTTP library would refuse to.
 */
export const createFaultServer = async ({ host = '127.0.0.1', tls }: Options = {}) => {
  const requests: ReceivedRequest[] = []
  const sockets = new Set<Socket>()
  const counts = { connections: 0 }

  const serve = (socket: Socket): void => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
    socket.on('error', () => socket.destroy())
    readRequests(socket, (request) => {
      requests.push(request)
      const { pathname, searchParams } = new URL(request.path, 'http://fault')
      const fault = FAULTS[pathname.split('/')[1] ?? '']
      if (fault === undefined) throw new Error(`the fault server has no route ${pathname}`)
      fault(socket, request, searchParams)
    })
  }

  const server: Server = tls === undefined ? createServer(serve) : createTlsServer(tls, serve)
  server.on('connection', (socket) => {
    counts.connections += 1
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
    socket.on('error', () => socket.destroy())
  })
  const port = await listen(server, host)
  const scheme = tls === undefined ? 'http' : 'https'

  return {
    port,
    /** All requests so far, in the order of their arrival. */
    requests,
    /** TCP connections so far, also those on which no request came. */
    connectionsCount: () => counts.connections,
    /** Connections that are open now. */
    openConnectionsCount: () => sockets.size,
    url: (path: string, hostname = host) => `${scheme}://${hostname}:${port}${path}`,
    close: async (): Promise<void> => {
      for (const socket of sockets) socket.destroy()
      server.close()
      await once(server, 'close')
    },
  }
}

export type FaultServer = Awaited<ReturnType<typeof createFaultServer>>
