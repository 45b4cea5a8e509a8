import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { FIRST_SCOPES } from '../../src/domain/actor.ts'
import { describeStatusReasons, RETRIES, STATUS_REASONS } from '../../src/domain/status-reasons.ts'
import { errorCatalogue } from '../../src/errors.ts'
import { GUIDE_NAMES } from '../../src/http/guides/guides.ts'
import { KNOWN_PROBLEMS } from '../../src/providers/pix/api/calls/problem.ts'
import { refusedOf } from '../../src/providers/pix/pix.outcomes.ts'
import { SANDBOX_CENTAVOS } from '../../src/providers/sandbox/sandbox.amounts.ts'
import { cardOutcome } from '../../src/providers/sandbox/sandbox.cards.ts'
import { startTestApp, type TestApp } from '../support/app.ts'
import { sellingSeller } from '../support/payments.ts'
import { startWebhookReceiver } from '../support/webhook-receiver.ts'
import { drain, newEngine } from '../support/webhooks.ts'

const FOLDER = join(import.meta.dirname, '..', '..', 'docs', 'guides')
const SOURCE = join(import.meta.dirname, '..', '..', 'src')
const TIMEOUT_MS = 60_000
const DELIVER_EVERY_MS = 50

let app: TestApp
let folder: string

beforeAll(async () => {
  app = await startTestApp()
  folder = await mkdtemp(join(tmpdir(), 'guides-'))
})

afterAll(async () => {
  await app.close()
  await rm(folder, { recursive: true, force: true })
})

const page = async (path: string, headers: Record<string, string> = {}) => {
  const answer = await fetch(`${app.url}${path}`, { headers })
  return { status: answer.status, headers: answer.headers, text: await answer.text() }
}

test('200: each guide is a small page that loads nothing from elsewhere, and is not sent twice', async () => {
  for (const name of GUIDE_NAMES) {
    const { status, headers, text } = await page(`/docs/guides/${name}`)
    expect([name, status, headers.get('content-encoding')]).toEqual([name, 200, expect.stringMatching(/gzip|br|zstd/)])
    expect(headers.get('content-security-policy')).toContain("default-src 'none'; script-src 'self'; style-src 'self'")
    expect(text).toMatch(/<h1 id="[^"]+">/)
    const again = await page(`/docs/guides/${name}`, { 'if-none-match': headers.get('etag') ?? '' })
    expect(again.status).toBe(304)
  }
})

const addressesIn = (text: string): string[] =>
  [...text.matchAll(/(?:href|src)="(\/[^"]*)"/g)].map(([, address = '']) => address)

/** Whether an address has a page, and where it names a part of one, that part. */
const isThere = async (address: string): Promise<boolean> => {
  const [path = '', part] = address.split('#')
  const { status, text } = await page(path)
  return status === 200 && (part === undefined || text.includes(`id="${part}"`))
}

test('every page and every part of one that a guide leads to is there', async () => {
  const paths = ['/docs/guides', ...GUIDE_NAMES.map((name) => `/docs/guides/${name}`)]
  const texts = await Promise.all(paths.map(async (path) => (await page(path)).text))
  for (const address of new Set(texts.flatMap(addressesIn))) {
    expect([address, await isThere(address)]).toEqual([address, true])
  }
})

test('the page of all guides holds what they are searched by, and the reference leads to it', async () => {
  const { text } = await page('/docs/guides?q=refund')
  const [, index = '[]'] = /id="sections">(.*?)<\/script>/s.exec(text) ?? []
  const sections = JSON.parse(index) as { title: string; url: string; text: string }[]
  expect(sections.find(({ title }) => title === 'Repeat safely')?.text).toContain('Idempotency-Key')
  for (const { url } of sections) expect(url).toMatch(/^\/docs\/guides\/[a-z-]+#[\p{L}\p{N}-]+$/u)
  expect((await app.api.get('/openapi.json')).body.info.description).toContain('/docs/guides')
})

test('404: a guide that is not there', async () => {
  for (const name of ['nothing', '..%2f..%2fpackage', 'assets']) {
    expect((await page(`/docs/guides/${name}`)).status).toBe(404)
  }
})

const textOf = (name: string) => readFile(join(FOLDER, `${name}.md`), 'utf8')

const firstColumn = (text: string): string[] => [...text.matchAll(/^\| `([a-z_.]+)`/gm)].map(([, code = '']) => code)

test('the codes that the guides explain are those that there are', async () => {
  const codes = firstColumn(await textOf('errors'))
  expect(codes.length).toBeGreaterThan(10)
  expect(codes.filter((code) => !errorCatalogue.has(code))).toEqual([])
})

test('what the guide of cards tells payers is what the code says', async () => {
  const text = await textOf('cards')
  for (const [code, { pt, en, retry }] of Object.entries(STATUS_REASONS)) {
    expect(text).toContain(`| \`${code}\` | ${pt} | ${en} | ${RETRIES[retry]} |`)
  }
  const { statusReason } = (await app.api.get('/openapi.json')).body.components.schemas.Payment.properties
  expect(JSON.stringify(statusReason)).toContain(describeStatusReasons())
})

// Of the known problems of Pix, those that are no word about a new charge.
const NOT_OF_CHARGES =
  /Consulta|Infracao|Devolucao|Webhook|webhook|PermanentementeRemovido|pagamento_negado|nao_pertence_ao_documento/

test('every code by which Pix and the sandbox refuse a payment is one that is explained', async () => {
  const problems = [null, ...KNOWN_PROBLEMS.filter((name) => !NOT_OF_CHARGES.test(name))]
  const kinds = (['refused', 'missing', 'conflict'] as const).map((kind) => ({ kind, problem: null }))
  const told = problems.map((problem) => ({ kind: 'refused' as const, problem }))
  const refused = [...told, ...kinds].map(
    (one) => refusedOf({ status: 400, title: null, fields: [], ...one } as Parameters<typeof refusedOf>[0]).reason,
  )
  const charges = await readFile(join(SOURCE, 'providers', 'pix', 'pix.charges.ts'), 'utf8')
  const written = [...charges.matchAll(/outcome: 'refused', reason: '(\w+)'/g)].map(([, reason = '']) => reason)
  expect(written).toContain('payment_expired')
  // Why one is not canceled is never the reason of where it stands.
  const ofPayments = [...refused, ...written].filter((reason) => !reason.startsWith('charge_'))
  expect(ofPayments.filter((reason) => !(reason in STATUS_REASONS))).toEqual([])
})

// A row of a table of Markdown by its cells.
const rowsOf = (text: string, heading: string): string[][] => {
  const [, after = ''] = text.split(`${heading}\n`)
  return [
    ...(
      after
        .trim()
        .split('\n\n')
        .find((part) => part.startsWith('| ')) ?? ''
    ).matchAll(/^\| (.*) \|$/gm),
  ]
    .map(([, row = '']) => row.split(' | '))
    .slice(1)
}

test('the outcome of every sandbox token and amount is as the guide of the sandbox says', async () => {
  const text = await textOf('sandbox')
  const told = new Map<string, string>()
  for (const [endings = '', outcome = ''] of rowsOf(text, '## Cards')) {
    for (const ending of endings === 'anything else' ? ['x'] : endings.split(', ')) told.set(ending, outcome)
  }
  expect([...told.keys()].sort()).toEqual([...'0123456789', 'x'])
  for (const [ending, outcome] of told) {
    const results = Array.from({ length: 20 }, (_, n) => cardOutcome(`tok_${n}_${ending}`, new Date()))
    const names = [...new Set(results.map((one) => (one.outcome === 'declined' ? one.reason : one.outcome)))]
    expect([ending, names.sort()]).toEqual([ending, expectedOf(outcome)])
  }
  expect(cardOutcome('tok_visa_0120_0001', new Date())).toEqual({ outcome: 'declined', reason: 'card_expired' })
  const amounts = rowsOf(text, '## Pix and boleto').flatMap(
    ([, how = '']) => /ends in (\d\d) centavos/.exec(how)?.[1] ?? [],
  )
  const { staysProcessing, isRefused } = SANDBOX_CENTAVOS
  expect(amounts.map(Number)).toEqual([staysProcessing, isRefused, staysProcessing, isRefused])
})

// What a row says in words, as the names of outcomes.
const expectedOf = (outcome: string): string[] => {
  const codes = [...outcome.matchAll(/`(card_\w+)`/g)].map(([, code = '']) => code)
  if (outcome.includes('answer is lost')) return ['lost']
  return [...(outcome.startsWith('approved') ? ['approved'] : []), ...codes].sort()
}

const SETUP = '## Set up once'

const blocksOf = (text: string, language: string): string =>
  [...text.matchAll(new RegExp(`\`\`\`${language}\\n([\\s\\S]*?)\`\`\``, 'g'))].map(([, code]) => code).join('\n')

type Sample = { setup: string; guides: { name: string; code: string }[] }

const readSamples = async (language: string): Promise<Sample> => {
  const texts = await Promise.all(GUIDE_NAMES.map(async (name) => ({ name, text: await textOf(name) })))
  const [, after = ''] = (texts[0]?.text ?? '').split(SETUP)
  const [setup = ''] = after.split('\n## ')
  return {
    setup: blocksOf(setup, language),
    guides: texts.map(({ name, text }) => ({ name, code: blocksOf(text.replace(setup, ''), language) })),
  }
}

// Each guide stands for itself after the set-up of the first, so none sees the names of another.
const LANGUAGES: Record<string, { file: string; command: string[]; put: (sample: Sample) => string }> = {
  sh: {
    file: 'guides.sh',
    command: ['bash', '-euo', 'pipefail'],
    put: ({ setup, guides }) =>
      [setup, ...guides.map(({ name, code }) => `echo "# ${name}"\n(\n${code}\n)`)].join('\n'),
  },
  ts: {
    file: 'guides.ts',
    command: [process.execPath],
    put: ({ setup, guides }) =>
      [setup, ...guides.map(({ name, code }) => `console.log('# ${name}')\n{\n${code}\n}`)].join('\n'),
  },
  python: {
    file: 'guides.py',
    command: ['python3'],
    put: ({ setup, guides }) =>
      [
        setup,
        ...guides.map(
          ({ name, code }) => `print("# ${name}", flush=True)\nexec(${JSON.stringify(code)}, dict(globals()))`,
        ),
      ].join('\n'),
  },
}

const canRun = (language: string): boolean =>
  (language === 'sh' ? ['curl', 'jq'] : [LANGUAGES[language]?.command[0] ?? '']).every(
    (program) => spawnSync(program, ['--version']).status === 0,
  )

const installed = Object.keys(LANGUAGES).filter(canRun)
for (const language of Object.keys(LANGUAGES).filter((one) => !installed.includes(one))) {
  process.stdout.write(
    `\n!! The ${language} samples of docs/guides ARE NOT RUN: what they need is not installed here.\n\n`,
  )
}

// What a worker does beside the server.
const deliver = async (engine: ReturnType<typeof newEngine>, signal: AbortSignal): Promise<void> => {
  while (!signal.aborted) {
    await drain(engine)
    await wait(DELIVER_EVERY_MS)
  }
}

const credentials = async (): Promise<Record<string, string>> => {
  const { token } = await sellingSeller(app)
  // Those that the first guide says to add, beside what credentials begin with.
  const added = ['refunds:write', 'webhooks:read', 'webhooks:write']
  const update = { rotateSecret: true, scopes: [...FIRST_SCOPES, ...added] }
  const { body } = await app.api.put('integrations/credentials', { token, body: update })
  return { CLIENT_ID: body.clientId, CLIENT_SECRET: body.clientSecret }
}

test.each(installed)('the %s samples of every guide work as printed', { timeout: TIMEOUT_MS }, async (language) => {
  const { file, command, put } = LANGUAGES[language] ?? { file: '', command: [], put: () => '' }
  const script = join(folder, file)
  await writeFile(script, put(await readSamples(language)))
  const receiver = await startWebhookReceiver()
  const engine = newEngine(app)
  const ended = new AbortController()
  const delivered = deliver(engine, ended.signal)
  try {
    const [program = '', ...args] = command
    const env = { ...process.env, ...(await credentials()), API: `${app.url}/api/v1`, WEBHOOK_URL: receiver.url }
    const child = spawn(program, [...args, script], { cwd: folder, env })
    let output = ''
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (text: Buffer) => (output += text))
    const [code] = await once(child, 'close')
    expect(code, output).toBe(0)
    for (const name of GUIDE_NAMES) expect(output).toContain(`# ${name}`)
    expect(output).toContain('br.gov.bcb.pix')
    expect(output).toContain('Pagamento recebido, menos a tarifa')
  } finally {
    ended.abort()
    await delivered
    await receiver.close()
  }
})
