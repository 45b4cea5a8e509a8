import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { addDays, onBusinessDay, saoPauloDate, startOfSaoPauloDay } from '../../../src/domain/calendar.ts'
import { startTestApp, type TestApp } from '../../support/app.ts'
import { adminToken, type Seller } from '../../support/factories.ts'
import { createPayment, PAYER, pay, sellingSeller, setReserve } from '../../support/payments.ts'

let app: TestApp
let admin: string
let seller: Seller

beforeAll(async () => {
  app = await startTestApp()
  admin = await adminToken(app)
  seller = await sellingSeller(app)
})

beforeEach(async () => {
  await app.sql.query('delete from holiday_overrides')
})

afterAll(() => app.close())

const put = (
  date: string,
  body: unknown = { isHoliday: true, name: 'Luto oficial' },
  token: string | undefined = admin,
) => app.api.put(`admin/holidays/${date}`, { token, body })

const listed = async (year: number) =>
  (await app.api.get(`admin/holidays?year=${year}`, { token: admin })).body.holidays as {
    date: string
    isHoliday: boolean
    origin: string
  }[]

/** When a boleto that is paid now would be available. */
const boletoDate = async (): Promise<string> => {
  const body = { method: 'boleto', amount: 10_000 }
  return (await app.api.post('fees/simulate', { token: seller.token, body })).body.settlements[0].availableOn
}

const paidBoletoOn = async (): Promise<string> => {
  const { id } = await createPayment(app, seller, { method: 'boleto', customer: PAYER })
  await pay(app, seller, id)
  const [part] = await app.services.read.settlements.listByPayment(seller.id, id)
  return part?.availableOn ?? ''
}

test('200: a year’s holidays are those of the law until somebody says otherwise', async () => {
  const { status, body } = await app.api.get('admin/holidays?year=2027', { token: admin })
  expect(status).toBe(200)
  expect(body.year).toBe(2027)
  expect(body.holidays).toHaveLength(13)
  expect(body.holidays[1]).toEqual({
    date: '2027-02-08',
    name: 'Segunda-feira de Carnaval',
    isHoliday: true,
    origin: 'national',
    updatedAt: null,
  })
  const current = (await app.api.get('admin/holidays', { token: admin })).body
  expect(current.year).toBe(Number(saoPauloDate(app.clock.now()).slice(0, 4)))
})

test('200: a holiday is moved, listed where it belongs, changed and forgotten again', async () => {
  expect((await put('2027-11-19', { isHoliday: true, name: 'Consciência Negra, antecipada' })).status).toBe(200)
  expect((await put('2027-11-20', { isHoliday: false, name: 'Antecipada para o dia 19' })).status).toBe(200)
  const november = (await listed(2027)).filter(({ date }) => date.startsWith('2027-11'))
  expect(november.map(({ date, isHoliday, origin }) => [date, isHoliday, origin])).toEqual([
    ['2027-11-02', true, 'national'],
    ['2027-11-15', true, 'national'],
    ['2027-11-19', true, 'override'],
    ['2027-11-20', false, 'override'],
  ])
  expect((await put('2027-11-19', { isHoliday: false, name: 'Mantido' })).body).toMatchObject({ isHoliday: false })
  for (const date of ['2027-11-19', '2027-11-20']) {
    expect((await app.api.delete(`admin/holidays/${date}`, { token: admin })).status).toBe(204)
  }
  expect((await listed(2027)).every(({ origin }) => origin === 'national')).toBe(true)
})

test('a change touches only the dates that are computed after it, and simulations agree with what happens', async () => {
  const before = await boletoDate()
  expect(await paidBoletoOn()).toBe(before)
  await put(before)
  const after = await boletoDate()
  expect(after).toBe(onBusinessDay(addDays(before, 1)))
  expect(await paidBoletoOn()).toBe(after)
  const { rows } = await app.sql.query('select distinct available_on::text from payment_settlements order by 1')
  expect(rows.map((row) => row.available_on)).toEqual([before, after])
  await app.api.delete(`admin/holidays/${before}`, { token: admin })
  expect(await paidBoletoOn()).toBe(before)
})

test('a card’s parts move as well, each by its own date', async () => {
  const body = { method: 'credit_card', amount: 30_000, installments: 3 }
  const dates = async () =>
    (await app.api.post('fees/simulate', { token: seller.token, body })).body.settlements.map(
      ({ availableOn }: { availableOn: string }) => availableOn,
    ) as string[]
  const [first = '', second = '', third = ''] = await dates()
  await put(second)
  expect(await dates()).toEqual([first, onBusinessDay(addDays(second, 1)), third])
  const { id } = await createPayment(app, seller, { ...body, cardToken: 'tok_0001', customer: PAYER })
  const parts = await app.services.read.settlements.listByPayment(seller.id, id)
  expect(parts.map(({ availableOn }) => availableOn)).toEqual(await dates())
})

test('a boleto that is due on a declared holiday may be paid through the next business day', async () => {
  const dueDate = onBusinessDay(addDays(saoPauloDate(app.clock.now()), 10))
  const fields = { method: 'boleto', customer: PAYER, dueDate }
  const before = await createPayment(app, seller, fields)
  await put(dueDate)
  const after = await createPayment(app, seller, fields)
  const next = onBusinessDay(addDays(dueDate, 1))
  expect([before.expiresAt, after.expiresAt]).toEqual(
    [dueDate, next].map((date) => startOfSaoPauloDay(addDays(date, 1)).toISOString()),
  )
  expect(after.boleto.dueDate).toBe(dueDate)
})

test('a reserve is released on its calendar day, holiday or not', async () => {
  const own = await sellingSeller(app)
  await setReserve(app, own, 1_000, 30)
  const date = addDays(saoPauloDate(app.clock.now()), 30)
  await put(date)
  const { id } = await createPayment(app, own)
  await pay(app, own, id)
  const [hold] = await app.services.read.reserveHolds.listByPayment(own.id, id)
  expect(hold?.releaseAt).toEqual(startOfSaoPauloDay(date))
})

test('who said what is in the audit log', async () => {
  await put('2028-07-10')
  await put('2028-07-10', { isHoliday: false, name: 'Revogado' })
  await app.api.delete('admin/holidays/2028-07-10', { token: admin })
  const { data } = (await app.api.get('admin/audit-log?action=holiday.set', { token: admin })).body
  expect(data[0]).toMatchObject({
    targetType: 'holiday',
    before: { date: '2028-07-10', isHoliday: true, name: 'Luto oficial' },
    after: { date: '2028-07-10', isHoliday: false, name: 'Revogado' },
  })
  const removed = (await app.api.get('admin/audit-log?action=holiday.remove', { token: admin })).body.data[0]
  expect(removed).toMatchObject({ targetId: data[0].targetId, before: { isHoliday: false }, after: null })
})

test('400: no such dates, years or bodies', async () => {
  for (const date of ['2027-02-29', '20270101', '1999-12-31', '2200-01-01', 'tomorrow']) {
    expect((await put(date)).status).toBe(400)
  }
  const bodies = [{}, { isHoliday: true }, { isHoliday: 'yes', name: 'x' }, { isHoliday: true, name: ' ' }]
  for (const body of [...bodies, { isHoliday: true, name: 'x', state: 'SP' }]) {
    expect((await put('2027-07-09', body)).status).toBe(400)
  }
  for (const year of ['1999', '2200', '2027.5', 'x']) {
    expect((await app.api.get(`admin/holidays?year=${year}`, { token: admin })).status).toBe(400)
  }
})

test('401 and 403: only administrators', async () => {
  expect((await app.api.put('admin/holidays/2027-07-09', { body: { isHoliday: true, name: 'x' } })).status).toBe(401)
  expect((await put('2027-07-09', undefined, seller.token)).status).toBe(403)
  expect((await app.api.get('admin/holidays', { token: seller.token })).status).toBe(403)
  expect((await app.api.delete('admin/holidays/2027-07-09', { token: seller.token })).status).toBe(403)
})

test('404: a national holiday that nobody touched has no override to remove', async () => {
  const { status, body } = await app.api.delete('admin/holidays/2027-12-25', { token: admin })
  expect([status, body.code]).toEqual([404, 'holiday.not_found'])
})
