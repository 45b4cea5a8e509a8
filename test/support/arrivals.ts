import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A receiver that remembers when each event came, and nothing else. Times are Unix milliseconds. */
export const startArrivals = async () => {
  const byEvent = new Map<string, number[]>()
  let count = 0
  const server = createServer({ keepAliveTimeout: 60_000 }, (request, response) => {
    const id = String(request.headers['webhook-id'])
    const times = byEvent.get(id) ?? []
    byEvent.set(id, times)
    times.push(Date.now())
    count += 1
    request.resume()
    request.on('end', () => response.writeHead(204).end())
    // Its sender was killed.
    request.on('error', () => undefined)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}/hooks`,
    /** When each event came, by its id. */
    byEvent,
    /** All that came, repeats included. */
    count: () => count,
    close: () =>
      new Promise<void>((resolve) => {
        server.closeAllConnections()
        server.close(() => resolve())
      }),
  }
}

export type Arrivals = Awaited<ReturnType<typeof startArrivals>>

/** The value below which this share of the values lies. */
export const percentile = (values: readonly number[], share: number): number => {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0
}
