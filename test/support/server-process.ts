import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { type Api, createApi } from './app.ts'
import type { OpenapiDocument } from './openapi-document.ts'
import { createResponseContract, type ResponseContract } from './response-contract.ts'

const ROOT = join(import.meta.dirname, '..', '..')
const START_TIMEOUT_MS = 60_000
const ADDRESS = /http:\/\/127\.0\.0\.1:\d+/

export type ServerProcess = {
  url: string
  child: ChildProcess
  api: Api
  /** Everything that it printed so far. */
  output(): string
  /** Ends it as a crash would: nothing of it runs on. */
  kill(): Promise<void>
  /** Ends it as Ctrl-C or an orchestrator would. Answers its exit code. */
  stop(signal?: 'SIGINT' | 'SIGTERM'): Promise<number | null>
}

type Options = {
  script?: string
  environment: Record<string, string>
  /** A module that is loaded before it and may talk with the parent. */
  preload?: string
}

// The same code has the same document, however often it starts.
let contract: Promise<ResponseContract> | undefined

const fetchContract = async (url: string): Promise<ResponseContract> => {
  const response = await fetch(`${url}/openapi.json`)
  if (!response.ok) throw new Error(`the document was answered with ${response.status}`)
  return createResponseContract((await response.json()) as OpenapiDocument)
}

const contractOf = (url: string) => (): Promise<ResponseContract> => {
  contract ??= fetchContract(url).catch((error: unknown) => {
    contract = undefined
    throw error
  })
  return contract
}

const cleanEnvironment = (): NodeJS.ProcessEnv => {
  const { DATABASE_URL: _url, NODE_ENV: _mode, VITEST: _vitest, ...inherited } = process.env
  return inherited
}

const ended = async (child: ChildProcess): Promise<number | null> => {
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
  return child.exitCode
}

/** Starts the platform as its own process, the way `npm start` does, and waits until it says where it listens. */
export const startServer = async ({
  script = 'src/server.ts',
  environment,
  preload,
}: Options): Promise<ServerProcess> => {
  const imports = preload === undefined ? [] : ['--import', preload]
  const child = spawn(process.execPath, [...imports, join(ROOT, script)], {
    cwd: ROOT,
    env: { ...cleanEnvironment(), PORT: '0', ...environment },
    stdio: ['ignore', 'pipe', 'pipe', ...(preload === undefined ? [] : ['ipc' as const])],
  })
  const { stdout, stderr } = child
  if (stdout === null || stderr === null) throw new Error('the server has no output')
  const lines: string[] = []
  const url = await new Promise<string>((resolve, reject) => {
    const fail = (why: string) => reject(new Error(`the server ${why}:\n${lines.join('\n')}`))
    const timeout = setTimeout(() => {
      child.kill('SIGKILL')
      fail('did not start in time')
    }, START_TIMEOUT_MS)
    const see = (line: string) => {
      lines.push(line)
      const [address] = ADDRESS.exec(line) ?? []
      if (address === undefined) return
      clearTimeout(timeout)
      resolve(address)
    }
    createInterface({ input: stdout }).on('line', see)
    createInterface({ input: stderr }).on('line', (line) => lines.push(line))
    child.once('exit', (code) => {
      clearTimeout(timeout)
      fail(`ended with ${code}`)
    })
  })
  return {
    url,
    child,
    api: createApi(url, { contract: contractOf(url) }),
    output: () => lines.join('\n'),
    kill: async () => {
      child.kill('SIGKILL')
      await ended(child)
    },
    stop: async (signal = 'SIGTERM') => {
      child.kill(signal)
      return ended(child)
    },
  }
}
