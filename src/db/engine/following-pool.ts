import { Client, type ClientBase, type ClientConfig, Pool, type PoolClient, type PoolConfig } from 'pg'
import { isUnavailable } from '../errors.ts'
import { createWritableHost, type WritableHost } from '../writable-host.ts'
import type { BundlingSocket } from './bundling-socket.ts'

/** How long a promotion stays unheard of where nothing breaks. */
const CHECK_EVERY_MS = 2_000

type Connected = (error: Error | null) => void

type FollowingClient = Client & { url: string; cut(): void }

// The host is chosen before each connection, and by its name the certificate is checked.
const followingClient = (host: WritableHost, openSocket: () => BundlingSocket) =>
  class extends Client implements FollowingClient {
    url = ''
    readonly #socket: BundlingSocket

    constructor(config?: ClientConfig) {
      const socket = openSocket()
      super({ ...config, stream: () => socket })
      this.#socket = socket
    }

    override connect(): Promise<Client>
    override connect(connected: Connected): void
    override connect(connected?: Connected): Promise<Client> | undefined {
      const connecting = this.#connect()
      if (connected === undefined) return connecting
      connecting.then(() => connected(null), connected)
      return undefined
    }

    async #connect(): Promise<Client> {
      try {
        this.url = await host.find()
        const { hostname, port } = new URL(this.url)
        Object.assign(this, { host: hostname.replace(/^\[(.+)\]$/, '$1'), port: Number(port || 5432) })
        await super.connect()
        return this
      } catch (error) {
        host.lose(this.url)
        this.cut()
        throw error
      }
    }

    cut(): void {
      this.#socket.destroy()
    }
  }

type Options = PoolConfig & { stream: () => BundlingSocket; onConnect: (client: ClientBase) => Promise<void> }

/**
 * A pool of connections to the one of several hosts that takes writes. When that is another one, those to the others are cut:
 * what is read there is old, and what is written there is lost.
 */
export const createFollowingPool = (url: string, { stream, onConnect, ...options }: Options) => {
  const clients = new Set<FollowingClient>()
  const host = createWritableHost(url, (found) => {
    for (const client of clients) if (client.url !== found) client.cut()
  })
  const prepare = async (client: ClientBase): Promise<void> => {
    const following = client as FollowingClient
    try {
      await onConnect(client)
    } catch (error) {
      host.lose(following.url)
      throw error
    }
    if (following.url !== host.last()) throw new Error('Connection terminated: another host takes writes now')
    clients.add(following)
  }
  const pool = new Pool({
    ...options,
    connectionString: host.last(),
    onConnect: prepare,
    Client: followingClient(host, stream),
  })
  const lose = (error: unknown, client: PoolClient): void => {
    if (error && isUnavailable(error)) host.lose((client as Client as FollowingClient).url)
  }
  pool.on('release', lose)
  pool.on('error', lose)
  pool.on('remove', (client) => clients.delete(client as Client as FollowingClient))
  const timer = setInterval(() => (pool.ended ? clearInterval(timer) : void host.check()), CHECK_EVERY_MS).unref()
  return { pool, currentUrl: host.last }
}
