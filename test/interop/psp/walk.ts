import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { makeCertificates } from '../../../simulators/psp/certificates/folder.ts'
import type { Exchange } from '../../../simulators/psp/exchanges.ts'
import type { ProfileName } from '../../../simulators/psp/profiles.ts'
import { createControl } from '../../support/psp/control.ts'
import { misfitsOf } from '../../support/psp/misfits.ts'
import { startPspProcess } from '../../support/psp/process.ts'
import { startCallbackReceiver } from '../../support/psp/receiver.ts'
import type { Toolbox } from './toolbox.ts'

const HERE = import.meta.dirname
const WALK_TIMEOUT_MS = 60_000

/** A client that somebody else wrote, with the names at which it looks for its bank. */
export type Walk = {
  client: string
  profile: ProfileName
  hosts: readonly string[]
  command: (toolbox: Toolbox) => string[]
}

const python =
  (script: string, ...args: string[]) =>
  ({ python: interpreter }: Toolbox): string[] => [...[interpreter, join(HERE, script)], ...args]

export const WALKS: readonly Walk[] = [
  {
    ...{ client: 'pypix-api', profile: 'inter', hosts: ['cdpj.partners.bancointer.com.br'] },
    command: python('pypix_walk.py', 'inter'),
  },
  {
    ...{ client: 'pypix-api', profile: 'sicredi', hosts: ['api-pix.sicredi.com.br'] },
    command: python('pypix_walk.py', 'sicredi'),
  },
  {
    ...{ client: 'pypix-api', profile: 'sicoob', hosts: ['api.sicoob.com.br', 'auth.sicoob.com.br'] },
    command: python('pypix_walk.py', 'sicoob'),
  },
  {
    ...{ client: 'pypix-api', profile: 'bb', hosts: ['api-pix.bb.com.br', 'oauth.bb.com.br'] },
    command: python('pypix_walk.py', 'bb'),
  },
  {
    ...{ client: 'efipay', profile: 'efi', hosts: ['pix-h.api.efipay.com.br'] },
    command: python('efipay_walk.py'),
  },
  {
    ...{ client: 'sdk-node-apis-efi', profile: 'efi', hosts: ['pix.api.efipay.com.br'] },
    command: () => [
      ...[process.execPath, '--import', join(HERE, 'resolve-to-simulator.mjs'), join(HERE, 'efi-node-walk.mjs')],
    ],
  },
]

type Run = { code: number; output: string }

const run = ([file = '', ...args]: string[], cwd: string, env: Record<string, string>): Promise<Run> =>
  new Promise((resolve) => {
    execFile(file, args, { cwd, env, timeout: WALK_TIMEOUT_MS }, (error, stdout, stderr) =>
      resolve({ code: error === null ? 0 : 1, output: `${stdout}${stderr}` }),
    )
  })

export type Walked = Run & {
  /** What did not fit the standard, of exchanges and of callbacks. */
  misfits: string[]
  /** The operations that the client used. */
  operations: Set<string>
}

/** Lets a client walk against a simulator of its own, and judges every exchange. */
export const walk = async ({ profile, hosts, command }: Walk, toolbox: Toolbox): Promise<Walked> => {
  const folder = await mkdtemp(join(tmpdir(), 'psp-interop-'))
  const certificates = join(folder, 'certificates')
  // Efí hands its files out without a password.
  const password = profile === 'efi' ? '' : 'segredo'
  await makeCertificates(certificates, { merchants: 1, hosts, validDays: 30, expired: false, password })
  const psp = await startPspProcess([
    '--port',
    '0',
    '--data',
    folder,
    '--certificates',
    certificates,
    '--profile',
    profile,
  ])
  const receiver = await startCallbackReceiver()
  const [environment = {}] = psp.environments
  const { PIX_CERTIFICATE_FILE: pem = '', PIX_CERTIFICATE_KEY_FILE: key = '', PIX_CA_FILE: ca = '' } = environment
  const pemWithKey = join(folder, 'merchant-1-with-key.pem')
  await writeFile(pemWithKey, (await readFile(pem, 'utf8')) + (await readFile(key, 'utf8')), { mode: 0o600 })
  const setup = {
    ...{ hosts, environment, pemWithKey, apiPort: psp.apiPort, controlUrl: psp.controlUrl },
    ...{ webhookUrl: receiver.url, toolbox: toolbox.folder },
    ...{ pkcs12: join(certificates, 'merchant-1.p12'), pkcs12Password: password },
  }
  try {
    const { PATH = '' } = process.env
    const trust = { REQUESTS_CA_BUNDLE: ca, NODE_EXTRA_CA_CERTS: ca, PYTHONDONTWRITEBYTECODE: '1' }
    const ran = await run(command(toolbox), folder, { PATH, ...trust, INTEROP_SETUP: JSON.stringify(setup) })
    const { requests } = (await createControl(psp.controlUrl).must('GET', '/requests')) as { requests: Exchange[] }
    const operations = new Set(requests.flatMap(({ operation }) => operation ?? []))
    return { ...ran, misfits: [...misfitsOf(profile, requests), ...receiver.misfits()], operations }
  } finally {
    await psp.stop()
    await receiver.close()
    await rm(folder, { recursive: true, force: true })
  }
}
