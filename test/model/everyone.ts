import type { Random } from '../../scripts/seed/random.ts'
import { ok, refused } from './book.ts'
import { dateOf, dayOf, nextPrintedHoliday } from './calendar.ts'
import { expectReply, type Shop } from './shop.ts'

/** What administrators change for all sellers alike, while none of them is at work. */

const changeDisputeFee = async ({ client, admin, world }: Shop, time: Random): Promise<string> => {
  const type = time.pick(['med', 'chargeback'] as const)
  const feeAmount = time.pick([0, 500, 2_500])
  const reply = await client.put(`admin/dispute-fees/${type}`, { as: admin, body: { feeAmount } })
  expectReply('dispute fee', reply, ok(200))
  world.disputeFees[type] = feeAmount
  return `a lost ${type} costs ${feeAmount}`
}

/** Banks close on a day soon, or work on what the printed calendar has as a holiday. */
const setHoliday = async ({ client, admin, world }: Shop, time: Random): Promise<string> => {
  const isHoliday = time.chance(0.75)
  const today = dayOf(world.nowMs)
  const date = dateOf(isHoliday ? today + time.between(1, 12) : nextPrintedHoliday(today))
  const body = { isHoliday, name: 'Feriado extraordinário' }
  const reply = await client.put(`admin/holidays/${date}`, { as: admin, body })
  expectReply('holiday', reply, ok(200, { date, isHoliday, origin: 'override' }))
  world.holidays.set(date, isHoliday)
  return `${date} ${isHoliday ? 'becomes a' : 'is no'} holiday`
}

const removeHoliday = async ({ client, admin, world }: Shop, time: Random): Promise<string> => {
  const today = dayOf(world.nowMs)
  const ahead = [...world.holidays.keys()].filter((said) => said > dateOf(today))
  const date = ahead[time.between(0, ahead.length - 1)] ?? dateOf(today + 1)
  const reply = await client.delete(`admin/holidays/${date}`, { as: admin })
  const wasThere = world.holidays.delete(date)
  // Cut off after it was done: the repeat finds nothing.
  if (wasThere && reply.wasCut && reply.status === 404) return `${date} is as printed`
  expectReply('no holiday', reply, wasThere ? ok(204) : refused(404, 'holiday.not_found'))
  return `${date} is as printed`
}

/** Sometimes changes one thing or another. Each seller's trace tells of it. */
export const changeForEveryone = async (shops: readonly Shop[], time: Random): Promise<void> => {
  const [first] = shops
  if (first === undefined) return
  const changes = []
  if (time.chance(0.2)) changes.push(await changeDisputeFee(first, time))
  if (time.chance(0.3)) changes.push(await setHoliday(first, time))
  if (time.chance(0.15)) changes.push(await removeHoliday(first, time))
  for (const { trace } of shops) trace.push(...changes)
}
