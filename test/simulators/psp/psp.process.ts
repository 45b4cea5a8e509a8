import { X509Certificate } from 'node:crypto'
import { existsSync, readFileSync, statSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createSecureContext } from 'node:tls'
import { Agent, request } from 'undici'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createControl } from '../../support/psp/control.ts'
import { type PspProcess, startPspProcess } from '../../support/psp/process.ts'
import { startCallbackReceiver } from '../../support/psp/receiver.ts'
import { certificatesFolder } from '../../support/psp/simulator.ts'
import { runScript } from '../../support/script-process.ts'

let folder: string

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'psp-process-'))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

const TXID = 'abcdefghijklmnopqrstuvwxyz012345'

/** A client that knows nothing but the variables that the simulator prints. */
const connect = async (environment: Record<string, string>) => {
  const read = (name: string): string => readFileSync(environment[name] ?? '', 'utf8')
  const agent = new Agent({
    connect: { ca: read('PIX_CA_FILE'), cert: read('PIX_CERTIFICATE_FILE'), key: read('PIX_CERTIFICATE_KEY_FILE') },
  })
  const { PIX_CLIENT_ID: id, PIX_CLIENT_SECRET: secret, PIX_TOKEN_URL: tokenUrl = '', PIX_API_URL: url } = environment
  const authorization = `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}`
  const grant = await request(tokenUrl, {
    method: 'POST',
    dispatcher: agent,
    headers: { authorization, 'content-type': 'application/json' },
    body: '{"grant_type":"client_credentials"}',
  })
  const { access_token: token } = (await grant.body.json()) as { access_token: string }
  const call = async (method: 'GET' | 'PUT', path: string, body?: unknown): Promise<Record<string, unknown>> => {
    const headers = {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      'x-skip-mtls-checking': 'true',
    }
    const text = body === undefined ? null : JSON.stringify(body)
    const answer = await request(`${url}${path}`, { method, dispatcher: agent, headers, body: text })
    return (await answer.body.json()) as Record<string, unknown>
  }
  return { call, token, close: () => agent.close() }
}

const start = async (...args: string[]): Promise<PspProcess> =>
  startPspProcess([
    '--port',
    '0',
    '--data',
    join(folder, 'data'),
    '--certificates',
    await certificatesFolder(),
    ...args,
  ])

const chargeOf = (environment: Record<string, string> | undefined) => ({
  ...{ calendario: { expiracao: 3_600 }, valor: { original: '37.00' }, chave: environment?.PIX_KEY },
})

test('killed in the middle, it goes on with every charge, Pix, token and callback that it had', async () => {
  const receiver = await startCallbackReceiver()
  const first = await start()
  const [environment = {}] = first.environments
  const before = await connect(environment)
  await before.call('PUT', `/v2/webhook/${environment.PIX_KEY}`, { webhookUrl: receiver.url })
  await before.call('PUT', `/v2/cob/${TXID}`, chargeOf(environment))
  const control = createControl(first.controlUrl)
  await control.plant({ on: 'callback', action: { kind: 'reorder', of: 100 } })
  const { endToEndId } = await control.pay({ txid: TXID })
  await control.must('PUT', '/clock', { offsetMs: 5_000 })
  await before.close()
  await first.kill()

  const second = await start()
  const [environmentAfter = {}] = second.environments
  expect(environmentAfter.PIX_CLIENT_ID).toBe(environment.PIX_CLIENT_ID)
  const after = await connect(environmentAfter)
  expect(await after.call('GET', `/v2/cob/${TXID}`)).toMatchObject({ status: 'CONCLUIDA', pix: [{ endToEndId }] })
  // What a fault held back when the process died is told, since faults are forgotten.
  expect(await receiver.waitForPix(1)).toMatchObject([{ endToEndId }])
  expect(await createControl(second.controlUrl).must('GET', '/clock')).toMatchObject({ offsetMs: 5_000 })
  await after.close()
  expect(await second.stop()).toBe(0)
  await receiver.close()
})

test('what was answered is there after a kill, also in the middle of many requests', async () => {
  const first = await start()
  const [environment = {}] = first.environments
  const client = await connect(environment)
  const made: string[] = []
  const work = Array.from({ length: 8 }, async (_, worker) => {
    for (let index = 0; ; index += 1) {
      const txid = `${TXID.slice(0, 26)}${worker}${String(index).padStart(5, '0')}`
      await client.call('PUT', `/v2/cob/${txid}`, chargeOf(environment))
      made.push(txid)
      if (made.length === 300) void first.kill()
    }
  })
  await Promise.allSettled(work)
  await client.close()
  expect(made.length).toBeGreaterThanOrEqual(300)

  const second = await start()
  const after = await connect(second.environments[0] ?? {})
  const answers = await Promise.all(made.map((txid) => after.call('GET', `/v2/cob/${txid}`)))
  expect(answers.filter(({ status }) => status !== 'ATIVA')).toEqual([])
  await after.close()
  await second.stop()
})

test('started with nothing, it makes its own certificates and prints what to set', async () => {
  const psp = await startPspProcess(['--port', '0', '--data', join(folder, 'new'), '--profile', 'efi'])
  const [environment = {}] = psp.environments
  const client = await connect(environment)
  expect(await client.call('PUT', `/v2/cob/${TXID}`, chargeOf(environment))).toMatchObject({ status: 'ATIVA' })
  await client.close()
  await psp.stop()
})

const certificates = (...args: string[]) =>
  runScript('simulators/psp/psp.ts', ['certificates', '--out', folder, ...args], {})

test('certificates: makes them for each merchant and prints the variables', async () => {
  const { code, stdout } = await certificates('--profile', 'inter', '--port', '7443', '--merchants', '2', '--expired')
  expect(code).toBe(0)
  const variables = Object.fromEntries(
    stdout
      .split('\n')
      .filter((line) => /^[A-Z_]+=/.test(line))
      .map((line) => line.split(/=(.*)/s).slice(0, 2)),
  )
  expect(variables).toMatchObject({
    PIX_PROVIDER: 'inter',
    PIX_API_URL: 'https://localhost:7443/pix/v2',
    PIX_TOKEN_URL: 'https://localhost:7443/oauth/v2/token',
    PIX_CERTIFICATE_FILE: join(folder, 'merchant-1.pem'),
    PIX_CERTIFICATE_KEY_FILE: join(folder, 'merchant-1.key'),
    PIX_CA_FILE: join(folder, 'ca.pem'),
  })
  for (const name of ['PIX_CLIENT_ID', 'PIX_CLIENT_SECRET', 'PIX_KEY', 'PIX_CALLBACK_SECRET']) {
    expect(variables[name]).toMatch(/.{20,}/)
  }
  expect(stdout).toContain(`# PIX_CERTIFICATE_FILE=${join(folder, 'merchant-1.p12')}`)
  const password = /# PIX_CERTIFICATE_PASSWORD=(.*)/.exec(stdout)?.[1] ?? ''
  const pfx = readFileSync(join(folder, 'merchant-1.p12'))
  expect(() => createSecureContext({ pfx, passphrase: password })).not.toThrow()
  for (const name of ['merchant-1.key', 'merchant-1.p12', 'ca.key', 'merchants.json']) {
    expect(statSync(join(folder, name)).mode & 0o077).toBe(0)
  }
  const expired = new X509Certificate(readFileSync(join(folder, 'merchant-2-expired.pem')))
  expect(Date.parse(expired.validTo)).toBeLessThan(Date.now())
})

test('certificates: they have the names that were asked for, and made again are new ones of the same authority and log-in', async () => {
  const names = ['merchant-1.pem', 'ca.pem', 'merchants.json']
  const read = () => Object.fromEntries(names.map((name) => [name, readFileSync(join(folder, name), 'utf8')]))
  await certificates(
    '--merchants',
    '1',
    '--password',
    'segredo',
    '--server-name',
    'pix.example.com',
    '--server-name',
    '10.0.0.7',
  )
  const { subjectAltName } = new X509Certificate(readFileSync(join(folder, 'server.pem')))
  for (const name of ['DNS:localhost', 'DNS:pix.example.com', 'IP Address:10.0.0.7'])
    expect(subjectAltName).toContain(name)
  const before = read()
  await certificates('--merchants', '1', '--valid-days', '20', '--password', 'segredo')
  const after = read()
  expect(after['merchant-1.pem']).not.toBe(before['merchant-1.pem'])
  expect(after['ca.pem']).toBe(before['ca.pem'])
  expect(after['merchants.json']).toBe(before['merchants.json'])
  const renewed = new X509Certificate(after['merchant-1.pem'] ?? '')
  expect(renewed.checkIssued(new X509Certificate(after['ca.pem'] ?? ''))).toBe(true)
  expect(Math.round((Date.parse(renewed.validTo) - Date.now()) / 86_400_000)).toBe(20)
  expect(existsSync(join(folder, 'merchant-1-expired.pem'))).toBe(false)
})

test.each([
  [['--profile', 'bank'], /--profile/],
  [['--port', '70000'], /--port/],
  [['--colour', 'red'], /--colour/],
  [['certificates'], /--out/],
  [['start'], /no such command/],
])('%o is refused in one line with the way out', async (args, reason) => {
  const { code, stderr } = await runScript('simulators/psp/psp.ts', args, {})
  expect(code).toBe(1)
  expect(stderr).toMatch(reason)
  expect(stderr).toContain('npm run psp -- --help')
  expect(stderr.trimEnd().split('\n')).toHaveLength(2)
})

test('--help lists the options', async () => {
  const { code, stdout } = await runScript('simulators/psp/psp.ts', ['--help'], {})
  expect(code).toBe(0)
  for (const option of ['--port', '--data', '--profile', '--latency-ms', '--out']) expect(stdout).toContain(option)
})
