import { once } from 'node:events'
import { createServer } from 'node:http'

/** Takes every webhook that comes to it on a loopback address, and says no to those under /broken. */
export const startWebhookReceiver = async () => {
  const server = createServer((request, response) => {
    request.resume().once('end', () => response.writeHead(request.url?.startsWith('/broken') ? 500 : 204).end())
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  const close = async (): Promise<void> => {
    const closed = once(server, 'close')
    server.close()
    server.closeAllConnections()
    await closed
  }
  return { url: `http://127.0.0.1:${port}`, close }
}

export type WebhookReceiver = Awaited<ReturnType<typeof startWebhookReceiver>>
