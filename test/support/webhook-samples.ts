import { spawnSync } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { newWebhookSecret, signingKey, signWebhook } from '../../src/webhooks/signature.ts'

const PAGE = join(import.meta.dirname, '..', '..', 'docs', 'webhooks.md')

/** The first sample in a language on the page about webhooks. */
const sampleOf = async (language: string): Promise<string> => {
  const [, code] = new RegExp(`\`\`\`${language}\\n(.*?)\`\`\``, 's').exec(await readFile(PAGE, 'utf8')) ?? []
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
const old = () => Math.floor(Date.now() / 1_000) - 400

const cases = () =>
  [
    { why: 'a right signature', headers: signed([secret]), text: body, good: true },
    { why: 'one of two right signatures', headers: signed([other, secret]), text: body, good: true },
    { why: 'a signature of another secret', headers: signed([other]), text: body, good: false },
    { why: 'another body', headers: signed([secret]), text: `${body} `, good: false },
    { why: 'an old timestamp', headers: signed([secret], old()), text: body, good: false },
    { why: 'no timestamp', headers: { ...signed([secret]), 'webhook-timestamp': '' }, text: body, good: false },
    { why: 'no number', headers: { ...signed([secret]), 'webhook-timestamp': 'now' }, text: body, good: false },
    { why: 'no signature', headers: { ...signed([secret]), 'webhook-signature': '' }, text: body, good: false },
  ] as const

const GO_MAIN = `package main

import (
	"encoding/json"
	"fmt"
	"net/http"
	"os"
)

func main() {
	var cases []struct {
		Headers map[string]string
		Text    string
	}
	if err := json.NewDecoder(os.Stdin).Decode(&cases); err != nil {
		panic(err)
	}
	for _, one := range cases {
		headers := http.Header{}
		for name, value := range one.Headers {
			headers.Set(name, value)
		}
		fmt.Println(Verify("SECRET", headers, []byte(one.Text)))
	}
}
`

const JS_DRIVER = `
for (const { headers, text } of JSON.parse(require('node:fs').readFileSync(0, 'utf8')))
  console.log(verifyWebhook('SECRET', headers, text))`

const PYTHON_DRIVER = `
import json, sys
for case in json.load(sys.stdin):
    print(str(verify_webhook("SECRET", case["headers"], case["text"].encode())).lower())`

const PHP_DRIVER = `
foreach (json_decode(file_get_contents('php://stdin'), true) as $case) {
    echo verify_webhook('SECRET', $case['headers'], $case['text']) ? "true\\n" : "false\\n";
}`

type Runner = { version: readonly string[]; command: readonly string[]; files(sample: string): Record<string, string> }

const RUNNERS = {
  ts: {
    version: [process.execPath, '--version'],
    command: [process.execPath, 'sample.ts'],
    files: (sample) => ({
      'sample.ts': `import { createRequire } from 'node:module'\nconst require = createRequire(import.meta.url)\n${sample}${JS_DRIVER}`,
    }),
  },
  python: {
    version: ['python3', '--version'],
    command: ['python3', 'sample.py'],
    files: (sample) => ({ 'sample.py': sample + PYTHON_DRIVER }),
  },
  php: {
    version: ['php', '--version'],
    command: ['php', 'sample.php'],
    files: (sample) => ({ 'sample.php': `<?php\n${sample}${PHP_DRIVER}` }),
  },
  go: {
    version: ['go', 'version'],
    command: ['go', 'run', '.'],
    files: (sample) => ({
      'go.mod': 'module webhooks\n\ngo 1.18\n',
      'sample.go': sample.replace(/^package \w+/m, 'package main'),
      'main.go': GO_MAIN,
    }),
  },
} satisfies Record<string, Runner>

export type SampleLanguage = keyof typeof RUNNERS

/** Whether this machine can run the samples of a language. */
export const canRun = (language: SampleLanguage): boolean => {
  const [command = '', ...args] = RUNNERS[language].version
  return spawnSync(command, args).status === 0
}

/** What a sample says about callbacks that are right or wrong in some way, and what it should say. */
export const runSample = async (language: SampleLanguage) => {
  const { command, files } = RUNNERS[language]
  const cwd = await mkdtemp(join(tmpdir(), 'webhook-sample-'))
  try {
    for (const [name, text] of Object.entries(files(await sampleOf(language)))) {
      await writeFile(join(cwd, name), text.replaceAll('SECRET', secret))
    }
    const all = cases()
    const [program = '', ...args] = command
    // Go is to ask no server for modules.
    const env = { ...process.env, GOFLAGS: '-mod=mod', GOPROXY: 'off' }
    const { stdout, stderr } = spawnSync(program, args, { cwd, env, input: JSON.stringify(all), encoding: 'utf8' })
    const verdicts = stdout.match(/^(true|false)$/gm)
    if (verdicts === null) throw new Error(`the ${language} sample said nothing: ${stdout}${stderr}`)
    const named = (good: readonly boolean[]) => Object.fromEntries(all.map(({ why }, index) => [why, good[index]]))
    return { said: named(verdicts.map((word) => word === 'true')), right: named(all.map(({ good }) => good)) }
  } finally {
    await rm(cwd, { recursive: true, force: true })
  }
}
