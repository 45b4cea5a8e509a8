import { Writable } from 'node:stream'
import { expect, test } from 'vitest'
import { createLogger } from '../../src/logging/logger.ts'
import { createPrettyStream } from '../../src/logging/pretty.ts'

const collect = () => {
  const chunks: string[] = []
  const stream = new Writable({
    write(chunk: Buffer, _encoding, done) {
      chunks.push(chunk.toString())
      done()
    },
  })
  return { stream, text: () => chunks.join('') }
}

const logOf = (...args: [object, string?]) => {
  const { stream, text } = collect()
  createLogger({ production: true, logLevel: 'info' }, stream).error(...args)
  return { text: text(), line: JSON.parse(text()) as Record<string, unknown> }
}

test.each([
  'authorization',
  'cookie',
  'set-cookie',
  'password',
  'currentPassword',
  'clientSecret',
  'client_secret',
  'accessToken',
  'refreshToken',
  'cardToken',
  'jwtSecret',
  'document',
  'cpf',
  'legalRepCpf',
  'cnpj',
  'pixKey',
  'body',
])('a field named %s is never written, at whatever depth', (name) => {
  const { text } = logOf({ [name]: 'hush', a: { list: [{ [name]: 'hush' }], [name]: { b: 'hush' } } })
  expect(text).not.toContain('hush')
  expect(text).toContain('[redacted]')
})

test('ordinary fields are written as they are', () => {
  const fields = { requestId: 'r', status: 200, route: '/payments/:id', durationMs: 1.5, list: [1, 'two'], gone: null }
  expect(logOf(fields, 'answered').line).toMatchObject({ ...fields, msg: 'answered' })
})

test('the parameters of a failed statement are dropped, its text and the constraint stay', () => {
  const driver = Object.assign(new Error('duplicate key value violates unique constraint "users_email_uq"'), {
    code: '23505',
    severity: 'ERROR',
    constraint: 'users_email_uq',
    detail: 'Key (email)=(maria@example.com) already exists.',
  })
  const failed = new Error('Failed query: insert into users values ($1)\nparams: maria@example.com,52998224725', {
    cause: driver,
  })
  const { text, line } = logOf({ err: failed })
  expect(text).not.toContain('maria@example.com')
  expect(text).not.toContain('52998224725')
  expect(line.err).toMatchObject({
    message: 'Failed query: insert into users values ($1)',
    cause: { code: '23505', constraint: 'users_email_uq' },
  })
  expect(text).toContain('logger.test.ts')
})

test('a message of Postgres that quotes a value is dropped', () => {
  const driver = Object.assign(new Error('invalid input syntax for type uuid: "52998224725"'), {
    code: '22P02',
    severity: 'ERROR',
  })
  expect(logOf({ err: driver }).text).not.toContain('52998224725')
})

test('an error that is passed alone is treated the same', () => {
  const { text, line } = logOf(new Error('it broke\nparams: secret-value'))
  expect(text).not.toContain('secret-value')
  expect(line).toMatchObject({ msg: 'it broke', err: { type: 'Error', message: 'it broke' } })
})

test('a cause without end ends', () => {
  const looped = new Error('round')
  looped.cause = looped
  expect(logOf({ err: looped }).line.err).toMatchObject({
    cause: { cause: { cause: { cause: { message: 'round' } } } },
  })
})

test('a terminal of development shows one readable line, and the stack below it', () => {
  const { stream, text } = collect()
  const logger = createLogger({ production: false, logLevel: 'debug' }, createPrettyStream(stream))
  logger.info({ status: 200, route: '/pay' }, 'answered')
  logger.error({ err: new Error('it broke') }, 'failed')
  const [first, second, third, fourth] = text().split('\n')
  expect(first).toMatch(/^\d\d:\d\d:\d\d\.\d{3} info {2}answered status=200 route=\/pay$/)
  expect(second).toMatch(/^\d\d:\d\d:\d\d\.\d{3} ERROR failed$/)
  expect(third).toBe('  Error: it broke')
  expect(fourth).toMatch(/^ +at /)
})
