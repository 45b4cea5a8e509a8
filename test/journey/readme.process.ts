import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createTestDatabase } from '../support/database.ts'
import { startServer } from '../support/server-process.ts'

const README = join(import.meta.dirname, '..', '..', 'README.md')
const ADMIN_PASSWORD = 'a long administrator password'
const TIMEOUT_MS = 90_000

/** The shell blocks of one section of the README, exactly as printed. */
const commandsOf = async (section: string): Promise<string> => {
  const text = await readFile(README, 'utf8')
  const [, after = ''] = text.split(`## ${section}\n`)
  const [body = ''] = after.split('\n## ')
  return [...body.matchAll(/```sh\n([\s\S]*?)```/g)].map(([, commands]) => commands).join('\n')
}

const runInShell = async (commands: string, cwd: string, environment: Record<string, string>) => {
  const shell = spawn('bash', ['-euo', 'pipefail', '-c', commands], { cwd, env: { ...process.env, ...environment } })
  let output = ''
  shell.stdout.on('data', (text: Buffer) => (output += text))
  shell.stderr.on('data', (text: Buffer) => (output += text))
  const [code] = await once(shell, 'close')
  return { code: code as number | null, output }
}

test('the first payment in five minutes works as printed', { timeout: TIMEOUT_MS }, async () => {
  const commands = await commandsOf('Your first payment in five minutes')
  const [folder, database] = await Promise.all([mkdtemp(join(tmpdir(), 'readme-')), createTestDatabase()])
  const environment = { DATABASE_URL: database.url, DATA_DIR: folder, ADMIN_PASSWORD }
  const server = await startServer({ environment })
  try {
    const { code, output } = await runInShell(commands, folder, { API: `${server.url}/api/v1`, ADMIN_PASSWORD })
    expect(code, output).toBe(0)
    // What the text promises beside the commands.
    expect(output).toContain('"availableAmount":9901')
    expect(output).toContain('br.gov.bcb.pix')
    expect(output).toContain('"availableAmount":4901')
    expect(output).toContain('whsec_')
    expect(output).not.toMatch(/refused:|TypeError/)

    const again = await runInShell(commands, folder, { API: `${server.url}/api/v1`, ADMIN_PASSWORD })
    expect(again.code, again.output).toBe(0)
    expect(again.output).toContain('"availableAmount":14802')
    expect(again.output).not.toMatch(/refused:|TypeError/)

    // Nobody waits for ever for what cannot come, and nobody reads a stack.
    const refused = await runInShell(commands, folder, { API: `${server.url}/api/v1`, ADMIN_PASSWORD: 'a wrong one' })
    expect(refused.code).not.toBe(0)
    expect(refused.output).toContain('refused: These credentials do not match an account.')
    expect(refused.output).not.toContain('TypeError')
    const awaited = `${commands.split('MARIA=')[0]}\nwait_for paid "$API/payments/none"`
    const waited = await runInShell(awaited, folder, { API: `${server.url}/api/v1`, ADMIN_PASSWORD })
    expect(waited.code).not.toBe(0)
    expect(waited.output).toContain('not paid: {')
  } finally {
    await server.stop()
    await database.drop()
    await rm(folder, { recursive: true, force: true })
  }
})
