import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

export type ReceivedWebhook = {
  headers: Record<string, string>
  body: string
  event: { id: string; type: string; data: Record<string, unknown> }
}

/** A seller's endpoint on loopback: takes everything, answers 204. */
export const startWebhookReceiver = async () => {
  const received: ReceivedWebhook[] = []
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const body = Buffer.concat(chunks).toString()
      const headers = Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, String(value)]))
      received.push({ headers, body, event: JSON.parse(body) })
      response.writeHead(204).end()
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}/hooks`,
    received,
    find: (type: string) => received.find(({ event }) => event.type === type),
    close: () =>
      new Promise<void>((resolve) => {
        server.closeAllConnections()
        server.close(() => resolve())
      }),
  }
}
