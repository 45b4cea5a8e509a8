import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { until } from '../support/until.ts'

const HAPROXY = '/usr/sbin/haproxy'

export const haproxyIsThere = existsSync(HAPROXY)

/** A port of this machine that nobody listens on right now. */
export const freePort = async (): Promise<number> => {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  await new Promise((resolve) => server.close(resolve))
  return typeof address === 'object' && address !== null ? address.port : 0
}

// As docs/operations.md has it, with quicker checks.
const configOf = (port: number, statsPort: number, servers: readonly number[]): string => `
defaults
  mode http
  timeout connect 2s
  timeout client 30s
  timeout server 30s
  timeout check 5s
frontend api
  bind 127.0.0.1:${port}
  default_backend platform
frontend numbers
  bind 127.0.0.1:${statsPort}
  stats enable
  stats uri /
backend platform
  balance roundrobin
  option httpchk GET /health/ready
  option redispatch
  retries 3
  default-server check inter 300ms fall 2 rise 1
${servers.map((server) => `  server port${server} 127.0.0.1:${server}`).join('\n')}
`

/** A balancer before processes on these ports of this machine. */
export const startHaproxy = async (servers: readonly number[]) => {
  const [port, statsPort] = [await freePort(), await freePort()]
  const folder = await mkdtemp(join(tmpdir(), 'haproxy-'))
  const file = join(folder, 'haproxy.cfg')
  await writeFile(file, configOf(port, statsPort, servers))
  const child: ChildProcess = spawn(HAPROXY, ['-db', '-q', '-f', file], { stdio: 'ignore' })
  /** The ports that it sends requests to. */
  const up = async (): Promise<number[]> => {
    const text = await fetch(`http://127.0.0.1:${statsPort}/;csv`).then((response) => response.text())
    return servers.filter((server) => new RegExp(`^platform,port${server},.*,UP,`, 'm').test(text))
  }
  await until(
    'the balancer has found the processes',
    async () => (await up().catch(() => [])).length === servers.length,
  )
  const stop = async (): Promise<void> => {
    child.kill('SIGTERM')
    await rm(folder, { recursive: true, force: true })
  }
  return { url: `http://127.0.0.1:${port}`, up, stop }
}
