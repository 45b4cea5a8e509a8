import type { Clock } from '../../clock.ts'
import type { Actor } from '../../domain/actor.ts'
import { type LocalDate, nationalHolidays, saoPauloDate } from '../../domain/calendar.ts'
import { invariant } from '../../domain/invariant.ts'
import type { NewId } from '../../ids.ts'
import type { Reads, Repositories, Transact } from '../../repositories.ts'
import { holidayErrors } from './holidays.errors.ts'
import type { HolidayOverride } from './holidays.repository.ts'
import type { HolidaysQuery, PutHolidayBody } from './holidays.schemas.ts'
import { type HolidayView, nationalView, overrideView } from './holidays.view.ts'

type Dependencies = { read: Pick<Reads, 'holidays'>; transact: Transact; clock: Clock; newId: NewId }

const shown = ({ date, isHoliday, name }: HolidayOverride) => ({ date, isHoliday, name })

/** The calendar of banks: computed by law, corrected by administrators. */
export const createHolidaysService = ({ read, transact, clock, newId }: Dependencies) => {
  const audit = (
    tx: Repositories,
    actor: Actor,
    action: 'holiday.set' | 'holiday.remove',
    change: { before: HolidayOverride | undefined; after: HolidayOverride | undefined; now: Date },
  ) => {
    const { before, after, now } = change
    const id = (after ?? before)?.id
    invariant(id !== undefined, 'a change of a holiday without a holiday')
    const target = { targetType: 'holiday', targetId: id }
    const said = { ...(before ? { before: shown(before) } : {}), ...(after ? { after: shown(after) } : {}) }
    return tx.audit.add({ actor, action, ...target, ...said }, now)
  }

  return {
    /** The holidays of a year, by law and by administrators, in order of their dates. */
    async list({ year = Number(saoPauloDate(clock.now()).slice(0, 4)) }: HolidaysQuery) {
      const overrides = await read.holidays.list(`${year}-01-01`, `${year}-12-31`)
      const overridden = new Set(overrides.map(({ date }) => date))
      const national = nationalHolidays(year).filter(({ date }) => !overridden.has(date))
      const holidays: HolidayView[] = [...national.map(nationalView), ...overrides.map(overrideView)]
      return { year, holidays: holidays.toSorted((one, other) => (one.date < other.date ? -1 : 1)) }
    },

    /** Says whether banks are closed on a date. Dates that were computed before stay. */
    async set(actor: Actor, date: LocalDate, { isHoliday, name }: PutHolidayBody): Promise<HolidayView> {
      return transact(async (tx) => {
        const now = clock.now()
        const before = await tx.holidays.lock(date)
        const after = await tx.holidays.put({
          id: newId(),
          createdAt: now,
          ...before,
          date,
          isHoliday,
          name,
          updatedAt: now,
        })
        await audit(tx, actor, 'holiday.set', { before, after, now })
        return overrideView(after)
      })
    },

    /** Goes back to what the law says about a date. Throws holiday.not_found where nothing else was said. */
    async remove(actor: Actor, date: LocalDate): Promise<void> {
      await transact(async (tx) => {
        const before = await tx.holidays.lock(date)
        if (before === undefined) throw holidayErrors.not_found()
        await tx.holidays.delete(date)
        await audit(tx, actor, 'holiday.remove', { before, after: undefined, now: clock.now() })
      })
    },
  }
}

export type HolidaysService = ReturnType<typeof createHolidaysService>
