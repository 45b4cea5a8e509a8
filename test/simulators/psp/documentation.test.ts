import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { PROFILES } from '../../../simulators/psp/profiles.ts'
import { startTestPsp, type TestPsp } from '../../support/psp/simulator.ts'

const PAGE = readFileSync(join(import.meta.dirname, '../../../docs/psp-simulator.md'), 'utf8')

let psp: TestPsp

beforeAll(async () => {
  psp = await startTestPsp()
})
afterAll(() => psp.close())

const run = (script: string, environment: Record<string, string>): Promise<{ code: number; output: string }> =>
  new Promise((resolve) => {
    const { PATH = '' } = process.env
    execFile('bash', ['-eo', 'pipefail', '-c', script], { env: { PATH, ...environment } }, (error, stdout, stderr) =>
      resolve({ code: typeof error?.code === 'number' ? error.code : 0, output: stdout + stderr }),
    )
  })

test('every command of the page works, one after the other', async () => {
  const blocks = [...PAGE.matchAll(/^```sh\n(.*?)^```$/gms)].map(([, block]) => block)
  expect(blocks.length).toBeGreaterThan(8)
  const environment = { ...psp.client.environment, CONTROL: `${psp.psp.controlUrl}/control` }
  const { code, output } = await run(blocks.join('\n'), environment)
  expect(output).not.toMatch(/"error"|curl:/)
  expect(code).toBe(0)
})

test('the page’s table of profiles is what the profiles are', () => {
  for (const [name, { basePath, tokenPath, takenStatus, periodDaysMax, pageSizeMax }] of Object.entries(PROFILES)) {
    const row = PAGE.split('\n').find((line) => line.startsWith(`| \`${name}\` |`))
    expect(row).toContain(basePath === '' ? 'https://localhost:4443' : `…${basePath}`)
    expect(row).toContain(tokenPath)
    expect(row).toContain(`${periodDaysMax} days, ${pageSizeMax}`)
    expect(row).toMatch(new RegExp(`\\| ${takenStatus} \\|$`))
  }
})

test('the page names every operation that faults can be planted on', () => {
  const names = psp.psp.bank.operations
  expect(names.length).toBeGreaterThan(25)
  const isNamed = (name: string): boolean => {
    const [kind = '', verb = ''] = name.split(/\.(.*)/s)
    if (kind === 'cobv') return PAGE.includes(`\`cob.${verb}\``)
    return PAGE.includes(`\`${name}\``) || PAGE.includes(`\`${kind}.*\``)
  }
  expect(names.filter((name) => !isNamed(name))).toEqual([])
})
