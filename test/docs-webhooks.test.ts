import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { newWebhookSecret, signingKey, signWebhook } from '../src/areas/seller-webhooks/signature.ts'
import { EVENT_TYPES } from '../src/events/event-types.ts'

const run = promisify(execFile)
const page = await readFile(join(import.meta.dirname, '..', 'docs', 'webhooks.md'), 'utf8')

/** The first sample in a language. */
const sampleOf = (language: string): string => {
  const [, code] = new RegExp(`\`\`\`${language}\\n(.*?)\`\`\``, 's').exec(page) ?? []
  if (code === undefined) throw new Error(`the page has no sample in ${language}`)
  return code
}

const body = '{"note":"açaí \u{1f600}"}'
const id = '01939f3e-7c1a-7b1e-9d6a-3f5b8c2d1e00'
const secret = newWebhookSecret()
const other = newWebhookSecret()
const signed = (secrets: readonly string[], timestampSeconds = Math.floor(Date.now() / 1_000)) => ({
  'webhook-id': id,
  'webhook-timestamp': String(timestampSeconds),
  'webhook-signature': signWebhook({ id, timestampSeconds, body, keys: secrets.map(signingKey) }),
})
const old = Math.floor(Date.now() / 1_000) - 400

const CASES = [
  ['a right signature', signed([secret]), body, true],
  ['one of two right signatures', signed([other, secret]), body, true],
  ['a signature of another secret', signed([other]), body, false],
  ['another body', signed([secret]), `${body} `, false],
  ['an old timestamp', signed([secret], old), body, false],
  ['no timestamp', { ...signed([secret]), 'webhook-timestamp': '' }, body, false],
  ['a timestamp that is no number', { ...signed([secret]), 'webhook-timestamp': 'now' }, body, false],
  ['no signature', { ...signed([secret]), 'webhook-signature': '' }, body, false],
] as const

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'webhook-samples-'))
})
afterAll(() => rm(folder, { recursive: true }))

const expected = CASES.map(([, , , verdict]) => verdict)
const input = JSON.stringify(CASES.map(([, headers, text]) => ({ headers, text })))

test('the TypeScript sample accepts what is right and nothing else', async () => {
  const file = join(folder, 'sample.ts')
  const driver = `
for (const { headers, text } of ${input}) console.log(verifyWebhook(${JSON.stringify(secret)}, headers, text))`
  await writeFile(file, sampleOf('ts') + driver)
  const { stdout } = await run(process.execPath, [file])
  expect(stdout.trim().split('\n')).toEqual(expected.map(String))
})

const python = await run('python3', ['--version']).then(
  () => true,
  () => false,
)

test.runIf(python)('the Python sample accepts what is right and nothing else', async () => {
  const file = join(folder, 'sample.py')
  const driver = `
import json
for case in json.loads(${JSON.stringify(input)}):
    print(str(verify_webhook(${JSON.stringify(secret)}, case["headers"], case["text"].encode())).lower())`
  await writeFile(file, sampleOf('python') + driver)
  const { stdout } = await run('python3', [file])
  expect(stdout.trim().split('\n')).toEqual(expected.map(String))
})

test('the page names every type of event', () => {
  expect(EVENT_TYPES.filter((type) => !page.includes(`\`${type}\``))).toEqual([])
})
