import { existsSync } from 'node:fs'
import { request } from 'node:http'
import { homedir } from 'node:os'
import { join } from 'node:path'

const PING_TIMEOUT_MS = 2_000

const ping = (address: { socketPath: string } | { host: string; port: number }): Promise<boolean> =>
  new Promise((resolve) => {
    const call = request({ ...address, path: '/_ping', timeout: PING_TIMEOUT_MS }, (response) => {
      response.resume()
      resolve(true)
    })
    call.once('timeout', () => call.destroy())
    call.once('error', () => resolve(false))
    call.once('close', () => resolve(false))
    call.end()
  })

const usualSockets = (): string[] => [
  '/var/run/docker.sock',
  join(homedir(), '.docker', 'run', 'docker.sock'),
  join(homedir(), '.docker', 'desktop', 'docker.sock'),
  ...(process.env.XDG_RUNTIME_DIR ? [join(process.env.XDG_RUNTIME_DIR, 'docker.sock')] : []),
]

/** Whether a Docker-compatible engine answers. Without one this costs no time; a hanging one costs two seconds. */
export const containerEngineAnswers = async (): Promise<boolean> => {
  const host = process.env.DOCKER_HOST
  if (host?.startsWith('unix://')) return await ping({ socketPath: host.slice('unix://'.length) })
  if (host && URL.canParse(host)) return await ping({ host: new URL(host).hostname, port: Number(new URL(host).port) })
  const answers = await Promise.all(
    usualSockets()
      .filter(existsSync)
      .map((socketPath) => ping({ socketPath })),
  )
  return answers.includes(true)
}
