import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { parse } from 'yaml'

const ROOT = join(import.meta.dirname, '..', '..')
const FILES = [
  'docker-compose.yml',
  ...readdirSync(join(ROOT, 'ops'))
    .filter((name) => name.endsWith('.yml'))
    .map((name) => `ops/${name}`),
]
const SECRET = /PASSWORD|SECRET|TOKEN|_KEY$|DATABASE_URL/

type Service = { environment?: Record<string, unknown>; ports?: unknown[]; networks?: string[]; command?: string[] }
type Compose = { services: Record<string, Service>; networks?: Record<string, { internal?: boolean }> }

const read = (file: string): Compose => parse(readFileSync(join(ROOT, file), 'utf8'), { merge: true })

const services = FILES.flatMap((file) =>
  Object.entries(read(file).services).map(([name, service]) => ({ file, name, ...service })),
)

test.each(FILES)(
  '%s gives no secret a value that can be guessed: who starts it names one, or it does not start',
  (file) => {
    for (const { environment = {} } of services.filter((service) => service.file === file)) {
      const secrets = Object.entries(environment).filter(([name]) => SECRET.test(name) && !name.endsWith('_FILE'))
      for (const [name, value] of secrets) {
        const literal = String(value).replace(/\$\{\w+:(\?[^}]*|-)\}/g, '')
        const left = name === 'DATABASE_URL' ? 'postgres://platform:@postgres:5432/platform' : ''
        expect([name, literal]).toEqual([name, left])
      }
    }
  },
)

test('no database is reached from outside of its machine, and none without TLS but by its one neighbour', () => {
  const databases = services.filter(({ name }) => name === 'postgres')
  expect(databases.map(({ file }) => file)).toEqual(['docker-compose.yml', 'ops/compose.production.yml'])
  for (const { file, ports, networks, command = [] } of databases) {
    expect([file, ports]).toEqual([file, undefined])
    if (command.includes('ssl=on')) continue
    expect(networks).toEqual(['database'])
    expect(read(file).networks?.database).toEqual({ internal: true })
    const neighbours = services.filter((one) => one.file === file && one.networks?.includes('database'))
    expect(neighbours.map(({ name }) => name).sort()).toEqual(['platform', 'postgres'])
  }
})

test('what listens on all addresses of the machine is the proxy with TLS alone', () => {
  const open = services.filter(({ ports = [] }) => ports.some((port) => !String(port).startsWith('127.0.0.1:')))
  expect(open.map(({ file, name }) => `${file} ${name}`)).toEqual(['ops/compose.production.yml proxy'])
})
