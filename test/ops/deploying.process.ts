import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseEnv, promisify } from 'node:util'
import { expect, test } from 'vitest'
import { parse, parseAllDocuments } from 'yaml'
import { loadConfig } from '../../src/config.ts'

const run = promisify(execFile)
const ROOT = join(import.meta.dirname, '..', '..')
const OPS = join(ROOT, 'ops')
const INSTALL_TIMEOUT_MS = 300_000

const SECRETS = {
  DATABASE_URL: 'postgres://platform:hush@postgres:5432/platform?sslmode=verify-full',
  JWT_SECRET: 'Yf3nq0Tz7Kc1Vw8Rb5Xm2Ld9Hs4Gp6Ja',
  ENCRYPTION_KEY: 'Qe8uM2xZ6vB0nC4tR7yW1sK5dF9gH3jL',
  ADMIN_PASSWORD: 'uma senha bem comprida de quem administra',
}
// What the operator chooses.
const CHOSEN = { PROVIDER: 'sandbox', ALLOW_SANDBOX: 'true' }

type Service = {
  image?: string
  environment?: Record<string, string | number>
  command?: string[]
  secrets?: string[]
  volumes?: string[]
  ports?: string[]
}

const readCompose = async (): Promise<{ services: Record<string, Service>; secrets: Record<string, unknown> }> =>
  parse(await readFile(join(OPS, 'compose.production.yml'), 'utf8'), { merge: true })

type Manifest = {
  kind: string
  data?: Record<string, string>
  spec: { template: { spec: { containers: { env: { name: string; value: string }[]; command: string[] }[] } } }
}

const readManifests = async (): Promise<Manifest[]> => {
  const files = await readdir(join(OPS, 'kubernetes'))
  const texts = await Promise.all(files.map((file) => readFile(join(OPS, 'kubernetes', file), 'utf8')))
  return texts.flatMap((text) => parseAllDocuments(text).map((document) => document.toJS()))
}

const knownVariables = async (): Promise<string[]> =>
  Object.keys(parseEnv(await readFile(join(ROOT, '.env.example'), 'utf8')))

const wordsOf = (environment: Record<string, string | number>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(environment).map(([name, value]) => [
      name,
      String(value).replace(/\$\{PUBLIC_HOST[^}]*\}/, 'pay.example.com'),
    ]),
  )

const scratch = async (work: (folder: string) => Promise<void>): Promise<void> => {
  const folder = await mkdtemp(join(tmpdir(), 'payment-platform-deploying-'))
  await work(folder).finally(() => rm(folder, { recursive: true, force: true }))
}

test('the processes of the compose file for production start with what it gives them', async () => {
  const { services } = await readCompose()
  const known = await knownVariables()
  for (const role of ['api', 'worker']) {
    const { environment = {}, command = [], secrets = [] } = services[role] ?? {}
    const given = wordsOf(environment)
    expect(Object.keys(given).filter((name) => !known.includes(name))).toEqual([])
    expect(secrets.sort()).toEqual(Object.keys(SECRETS).sort())
    const config = loadConfig({ NODE_ENV: 'production', ...given, ...SECRETS, ...CHOSEN })
    expect(config).toMatchObject({ role, publicUrl: 'https://pay.example.com', trustedProxies: ['172.30.14.0/24'] })
    for (const file of command.slice(1)) expect(existsSync(join(ROOT, file)), file).toBe(true)
  }
})

test('the compose file for production holds no secret, opens nothing but the proxy, and its images have versions', async () => {
  const { services, secrets } = await readCompose()
  for (const [name, { image, environment = {}, volumes = [], ports }] of Object.entries(services)) {
    if (image !== undefined) expect(image).toMatch(/:\d+\.\d+/)
    expect(Object.keys(environment).filter((variable) => /PASSWORD$|SECRET$|KEY$|DATABASE_URL/.test(variable))).toEqual(
      [],
    )
    expect(ports === undefined).toBe(name !== 'proxy')
    const mounted = volumes.flatMap((volume) => (volume.startsWith('./') ? [volume.split(':')[0] ?? ''] : []))
    for (const path of mounted.filter((one) => !one.startsWith('./secrets/')))
      expect(existsSync(join(OPS, path)), path).toBe(true)
  }
  expect(Object.keys(secrets)).toEqual(expect.arrayContaining(Object.keys(SECRETS)))
  const postgres = services.postgres?.command?.join(' ')
  expect(postgres).toContain('ssl=on')
  const rules = (await readFile(join(OPS, 'postgres/pg_hba.conf'), 'utf8'))
    .split('\n')
    .filter((line) => /^\w/.test(line))
  expect(rules.map((rule) => rule.split(/\s+/)[0])).toEqual(['local', 'hostssl'])
  expect(rules.every((rule) => rule.endsWith('scram-sha-256'))).toBe(true)
})

test('each file of a folder becomes a variable of the command, and of nothing else', () =>
  scratch(async (folder) => {
    await writeFile(join(folder, 'JWT_SECRET'), "it's $HOME and `more`\n")
    await mkdir(join(folder, 'a-folder'))
    await chmod(join(folder, 'JWT_SECRET'), 0o600)
    const command = [process.execPath, '-e', 'process.stdout.write(process.env.JWT_SECRET)']
    const environment = { PATH: process.env.PATH, SECRETS_DIR: folder }
    const { stdout } = await run(join(OPS, 'with-secrets.sh'), command, { env: environment })
    expect(stdout).toBe("it's $HOME and `more`")
  }))

test('the processes of the manifests start with what they are given', async () => {
  const manifests = await readManifests()
  const known = await knownVariables()
  const data = manifests.find(({ kind }) => kind === 'ConfigMap')?.data ?? {}
  expect(Object.keys(data).filter((name) => !known.includes(name))).toEqual([])
  const containers = manifests
    .filter(({ kind }) => kind === 'Deployment')
    .flatMap(({ spec }) => spec.template.spec.containers)
  expect(containers).toHaveLength(2)
  for (const { env, command } of containers) {
    const own = Object.fromEntries(env.map(({ name, value }) => [name, value]))
    const config = loadConfig({
      NODE_ENV: 'production',
      ...data,
      ...own,
      ...SECRETS,
      ...CHOSEN,
      S3_SECRET_ACCESS_KEY: 's'.repeat(20),
    })
    expect(config.role).toBe(own.PROCESS_ROLE)
    for (const file of command.slice(1)) expect(existsSync(join(ROOT, file)), file).toBe(true)
  }
})

const validator = async (): Promise<string> => {
  const venv = join(ROOT, 'node_modules', '.cache', 'kubernetes-validate')
  const program = join(venv, 'bin', 'kubernetes-validate')
  if (!existsSync(program)) {
    const options = { timeout: INSTALL_TIMEOUT_MS }
    await run('python3', ['-m', 'venv', venv], options)
    const requirements = join(import.meta.dirname, 'requirements.txt')
    await run(join(venv, 'bin', 'pip'), ['install', '--quiet', '--requirement', requirements], options)
  }
  return program
}

test('the manifests are as the schemas of Kubernetes have them, and a misspelt field is not', {
  timeout: INSTALL_TIMEOUT_MS,
}, async () => {
  const found = await validator().catch((error: unknown) => ({ error }))
  if (typeof found !== 'string') {
    process.stdout.write('\n!! No validator of Kubernetes here: NO MANIFEST IS CHECKED AGAINST ITS SCHEMA.\n\n')
    expect(process.env.INTEROP).not.toBe('required')
    return
  }
  const files = (await readdir(join(OPS, 'kubernetes'))).map((file) => join(OPS, 'kubernetes', file))
  const { stdout, stderr } = await run(found, ['--strict', ...files])
  expect(`${stdout}${stderr}`.match(/passed for resource/g)).toHaveLength((await readManifests()).length)
  await scratch(async (folder) => {
    const file = join(folder, 'worker.yml')
    const text = await readFile(join(OPS, 'kubernetes/worker.yml'), 'utf8')
    await writeFile(file, text.replace('readOnlyRootFilesystem', 'readonlyRootFilesystem'))
    await expect(run(found, ['--strict', file])).rejects.toThrow()
  })
})

test('the units of systemd are as systemd has them, and start what is there', async () => {
  const folder = join(OPS, 'systemd')
  const units = (await readdir(folder)).map((file) => join(folder, file))
  expect(units).toHaveLength(2)
  for (const unit of units) {
    const [, script = ''] = /^ExecStart=\S+ src\/start\/launch\.js (\S+)$/m.exec(await readFile(unit, 'utf8')) ?? []
    expect(existsSync(join(ROOT, script)), script).toBe(true)
  }
  if (!existsSync('/usr/bin/systemd-analyze')) {
    process.stdout.write('\n!! No systemd here: ITS UNITS ARE NOT CHECKED.\n\n')
    return
  }
  const { stderr } = await run('systemd-analyze', ['verify', ...units]).catch((error: { stderr: string }) => error)
  // The platform is not installed where its units expect it.
  const faults = stderr
    .split('\n')
    .filter((line) => line.includes('payment-platform') && !line.includes('not executable'))
  expect(faults).toEqual([])
})
