import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { addDays, saoPauloDate } from '../../../../src/domain/calendar.ts'
import type { Reports } from '../../../../src/providers/pix/api/efi/reports.ts'
import type { PixApi } from '../../../../src/providers/pix/api/pix-api.ts'
import { okValue, openPixApi } from '../../../support/psp/pix-api.ts'
import { startTestPsp, type TestPsp } from '../../../support/psp/simulator.ts'

/** More than the client keeps of any other answer. */
const SIZE = 900_000

let psp: TestPsp
let api: PixApi
let reports: Reports
let key: string

beforeAll(async () => {
  psp = await startTestPsp()
  const opened = openPixApi(psp, { limits: { connectionsMax: 1, answerBytesMax: SIZE / 10 } })
  api = opened.api
  key = opened.key
  if (api.reports === undefined) throw new Error('Efí has reports')
  reports = api.reports
})
beforeEach(() => psp.control.must('POST', '/reset'))
afterAll(async () => {
  await api.close()
  await psp.close()
})

const today = (): string => saoPauloDate(new Date())

/** A statement of today with so many Pix, asked for on the next day. */
const ask = async (pixCount: number): Promise<string> => {
  for (let index = 0; index < pixCount; index += 1) await psp.control.pay({ key, amount: '1.00' })
  await psp.control.must('POST', '/clock/advance', { days: 1 })
  return okValue(await reports.request(today())).id
}

const fetch = async (id: string) => {
  const stream = okValue(await reports.fetch(id))
  if (stream === null) throw new Error('the statement is not ready')
  return stream
}

test('a statement is asked for, made, and fetched as it is', async () => {
  await psp.control.must('PATCH', '/settings', { reportsAfterMs: 60_000 })
  const id = await ask(2)
  expect(okValue(await reports.request(today()))).toEqual({ id, isReady: false })
  expect(okValue(await reports.fetch(id))).toBeNull()
  await psp.control.must('POST', '/clock/advance', { seconds: 61 })
  expect(okValue(await reports.request(today()))).toEqual({ id, isReady: true })
  const csv = await text(await fetch(id))
  expect(csv.split('\n').map((line) => line.split(';')[0])).toEqual(['CA', 'SD0', 'SD1', 'PR', 'PR', 'T', ''])
})

test('it may be asked for some kinds alone', async () => {
  const id = await ask(1)
  const other = okValue(await reports.request(today(), ['pixRecebido']))
  expect(other.id).not.toBe(id)
  expect((await text(await fetch(other.id))).split('\n').map((line) => line.split(';')[0])).toEqual([
    'CA',
    'PR',
    'T',
    '',
  ])
})

test('a large one streams at the pace of its reader, and its connection is used again afterwards', async () => {
  const id = await ask(3)
  const body = 'x'.repeat(SIZE)
  const action = { kind: 'status', status: 200, body, contentType: 'text/csv' }
  await psp.control.plant({ operation: 'gn.relatorios.get', action, count: 2 })
  let read = 0
  for await (const chunk of await fetch(id)) read += chunk.length
  expect(read).toBe(SIZE)
  // There is one connection: it is free only because the stream has ended.
  expect((await text(await fetch(id))).length).toBe(SIZE)
  expect((await text(await fetch(id))).startsWith('CA;')).toBe(true)
})

test('a reader who has enough frees the connection', async () => {
  const id = await ask(1)
  const action = { kind: 'status', status: 200, body: 'x'.repeat(SIZE), contentType: 'text/csv' }
  await psp.control.plant({ operation: 'gn.relatorios.get', action, count: 1 })
  const stream = await fetch(id)
  stream.destroy()
  expect((await text(await fetch(id))).startsWith('CA;')).toBe(true)
})

test('a day that is not over is refused; an unknown statement is missing', async () => {
  const refused = { kind: 'refused', title: 'The statement cannot be made.' }
  expect(await reports.request(today())).toMatchObject(refused)
  expect(await reports.request(addDays(today(), 1))).toMatchObject(refused)
  const unknown = await reports.fetch('00000000-0000-4000-8000-000000000000')
  expect(unknown).toEqual({ kind: 'missing', problem: 'NaoEncontrado' })
})
