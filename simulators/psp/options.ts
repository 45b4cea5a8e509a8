import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { z } from 'zod'
import { type CertificatesOptions, DEFAULT_CERTIFICATES } from './certificates/folder.ts'
import { type ClientAuthentication, PROFILE_NAMES, type ProfileName } from './profiles.ts'

export const USAGE = `npm run psp -- [options]                          starts the simulator
npm run psp -- certificates --out DIR [options]   makes certificates and log-ins, and prints the variables to set

  --profile NAME           ${PROFILE_NAMES.join(', ')} (efi)
  --port N                 the API, with client certificates (4443; 0 takes free ports for all three)
  --public-port N          the addresses that payers' banks read (--port + 1)
  --control-port N         the tests' own operations, plain HTTP on the loopback (--port + 2)
  --host ADDRESS           where the first two listen (127.0.0.1)
  --data DIR               state, kept over restarts (.psp)
  --certificates DIR       certificates and log-ins (DIR/certificates of --data; made where there are none)
  --client-auth WAY        how clients log in, where it is not the profile's way: basic, form or id
  --latency-ms N           how long each answer takes (0)
  --callback-concurrency N how many callbacks about one key may be under way (1, so that they arrive in order)
  --json                   prints what a program needs in one line instead of the welcome

certificates:
  --out DIR                where to
  --merchants N            how many accounts, each with its own key, client and certificate (2)
  --server-name NAME       one more name for the server's certificate; may be repeated
  --valid-days N           of the clients' certificates (365)
  --password TEXT          of the PKCS#12 files (random)
  --expired                one more certificate for each merchant, which expired yesterday`

const OPTIONS = {
  profile: { type: 'string' },
  port: { type: 'string' },
  'public-port': { type: 'string' },
  'control-port': { type: 'string' },
  host: { type: 'string' },
  data: { type: 'string' },
  certificates: { type: 'string' },
  'client-auth': { type: 'string' },
  'latency-ms': { type: 'string' },
  'callback-concurrency': { type: 'string' },
  json: { type: 'boolean' },
  out: { type: 'string' },
  merchants: { type: 'string' },
  'server-name': { type: 'string', multiple: true },
  'valid-days': { type: 'string' },
  password: { type: 'string' },
  expired: { type: 'boolean' },
  help: { type: 'boolean' },
} as const

const port = z.coerce.number().int().min(0).max(65_535)

const optionsSchema = z.object({
  profile: z.enum(PROFILE_NAMES).default('efi'),
  port: port.default(4_443),
  'public-port': port.optional(),
  'control-port': port.optional(),
  host: z.string().default('127.0.0.1'),
  data: z.string().default('.psp'),
  certificates: z.string().optional(),
  'client-auth': z.enum(['basic', 'form', 'id']).optional(),
  'latency-ms': z.coerce.number().int().min(0).max(3_600_000).default(0),
  'callback-concurrency': z.coerce.number().int().min(1).max(1_000).default(1),
  json: z.boolean().default(false),
  out: z.string().optional(),
  merchants: z.coerce.number().int().min(1).max(100).default(DEFAULT_CERTIFICATES.merchants),
  'server-name': z.array(z.string()).default([]),
  'valid-days': z.coerce.number().int().min(1).max(3_650).default(DEFAULT_CERTIFICATES.validDays),
  password: z.string().optional(),
  expired: z.boolean().default(false),
})

/** Where the three servers listen; 0 is any free port. */
export type Ports = { api: number; public: number; control: number }

export type ServeOptions = {
  profile: ProfileName
  ports: Ports
  host: string
  dataFolder: string
  certificatesFolder: string
  /** In place of the profile's. */
  clientAuthentication?: ClientAuthentication | undefined
  latencyMs: number
  callbackConcurrency: number
}

/** What the command line asks for. */
export type Command =
  | { name: 'help' }
  | { name: 'serve'; serve: ServeOptions; isJson: boolean }
  | { name: 'certificates'; folder: string; profile: ProfileName; ports: Ports; certificates: CertificatesOptions }

type Values = z.infer<typeof optionsSchema>

const portsOf = (values: Values): Ports => {
  const next = (offset: number): number => (values.port === 0 ? 0 : values.port + offset)
  return {
    api: values.port,
    public: values['public-port'] ?? next(1),
    control: values['control-port'] ?? next(2),
  }
}

const certificatesCommand = (values: Values): Command => {
  if (values.out === undefined) throw new RangeError('certificates needs --out DIR')
  const { merchants, 'server-name': hosts, 'valid-days': validDays, expired, password } = values
  const certificates = { merchants, hosts, validDays, expired, password }
  return { name: 'certificates', folder: values.out, profile: values.profile, ports: portsOf(values), certificates }
}

const serveCommand = (values: Values): Command => ({
  name: 'serve',
  isJson: values.json,
  serve: {
    profile: values.profile,
    ports: portsOf(values),
    host: values.host,
    dataFolder: values.data,
    certificatesFolder: values.certificates ?? join(values.data, 'certificates'),
    clientAuthentication: values['client-auth'],
    latencyMs: values['latency-ms'],
    callbackConcurrency: values['callback-concurrency'],
  },
})

/** Reads the command line. Throws an Error with one sentence on what it does not understand. */
export const readCommand = (args: readonly string[]): Command => {
  const { values, positionals } = parseArgs({ args: [...args], options: OPTIONS, allowPositionals: true })
  if (values.help) return { name: 'help' }
  const [name, ...others] = positionals
  if (others.length > 0 || (name !== undefined && name !== 'certificates')) {
    throw new RangeError(`no such command: ${positionals.join(' ')}`)
  }
  const parsed = optionsSchema.safeParse(values)
  if (!parsed.success) {
    const [issue] = parsed.error.issues
    throw new RangeError(`--${issue?.path.join('.')}: ${issue?.message}`)
  }
  return name === 'certificates' ? certificatesCommand(parsed.data) : serveCommand(parsed.data)
}
