/** Lists: one page as it was served, and all pages of a period, however long it is. */
import { z } from 'zod'
import { placeOf } from '../calls/judge.ts'
import { withRoom } from '../calls/with-room.ts'
import { type Outcome, unknown } from '../outcome.ts'
import type { Profile } from '../profiles.ts'

/** Both ends belong to it. */
export type Period = { from: Date; to: Date }

/** `number` counts from 0. A size that the PSP does not serve is served smaller. */
export type PageOptions = { page?: number | undefined; pageSize?: number | undefined }

export type Page<Item> = {
  items: readonly Item[]
  /** Entries that could not be read, so that one odd entry neither hides the others nor gets lost. */
  unreadable: readonly UnreadableItem[]
  number: number
  size: number
  pagesCount: number
  itemsCount: number
}

/** `at` is where the entry is not of its form: `valor`. */
export type UnreadableItem = { at: string; endToEndId: string | null }

const DAY_MS = 86_400_000
/** Periods are widened to whole seconds, and must not grow beyond what a PSP serves by that. */
const PERIOD_MARGIN_MS = 60_000

const named = z.object({ endToEndId: z.string().regex(/^[a-zA-Z0-9]{1,64}$/) })

const unreadableOf = (entry: unknown, error: z.ZodError): UnreadableItem => ({
  at: placeOf(error),
  endToEndId: named.safeParse(entry).data?.endToEndId ?? null,
})

const count = z.coerce.number().int().min(0)

const paging = z.object({
  paginaAtual: count,
  itensPorPagina: count,
  quantidadeDePaginas: count,
  quantidadeTotalDeItens: count,
})

/** The answer of a list whose entries are under `name`. */
export const pageSchema = <Item>(name: string, item: z.ZodType<Item>) =>
  z
    .object({
      parametros: z.object({ paginacao: paging }),
      // Some leave an empty list out.
      [name]: z.array(z.unknown()).nullish(),
    })
    .transform((answer): Page<Item> => {
      const { paginacao } = answer.parametros as { paginacao: z.infer<typeof paging> }
      const entries = (answer[name] as unknown[] | null | undefined) ?? []
      const parsed = entries.map((entry) => item.safeParse(entry))
      return {
        items: parsed.flatMap(({ success, data }) => (success ? [data] : [])),
        unreadable: parsed.flatMap(({ error }, index) => (error ? [unreadableOf(entries[index], error)] : [])),
        number: paginacao.paginaAtual,
        size: paginacao.itensPorPagina,
        pagesCount: paginacao.quantidadeDePaginas,
        itemsCount: paginacao.quantidadeTotalDeItens,
      }
    })

/** How a page is asked for. */
export const pageQuery = ({ page, pageSize }: PageOptions, profile: Profile): Record<string, string> => ({
  'paginacao.paginaAtual': String(page ?? 0),
  'paginacao.itensPorPagina': String(pageSize ?? profile.pageSize),
})

/** A period in parts that the PSP serves, the oldest first. Neighbours share an instant. */
export const splitPeriod = ({ from, to }: Period, { periodDaysMax }: Profile): Period[] => {
  const stepMs = periodDaysMax * DAY_MS - PERIOD_MARGIN_MS
  const parts: Period[] = []
  for (let start = from.getTime(); start < to.getTime(); start += stepMs) {
    parts.push({ from: new Date(start), to: new Date(Math.min(start + stepMs, to.getTime())) })
  }
  return parts.length === 0 ? [{ from, to }] : parts
}

type FetchPage<Item> = (period: Period, page: number) => Promise<Outcome<Page<Item>>>

const MISPLACED = unknown('answer_unreadable', { at: 'parametros.paginacao.paginaAtual' })

async function* pagesOfPart<Item>(part: Period, fetchPage: FetchPage<Item>): AsyncGenerator<Outcome<Page<Item>>> {
  for (let number = 0; ; number += 1) {
    const result = await withRoom(() => fetchPage(part, number))
    // The same page again and again would look like the whole list.
    const isMisplaced = result.kind === 'ok' && result.value.number !== number
    yield isMisplaced ? MISPLACED : result
    if (result.kind !== 'ok' || isMisplaced) return
    const { items, unreadable, pagesCount } = result.value
    if (number + 1 >= pagesCount || items.length + unreadable.length === 0) return
  }
}

/**
 * All pages of a period of any length. What was served decides where the next page begins, not what was asked for. An
 * entry may come twice, where parts of the period meet and where something arrives meanwhile. Ends after the first page
 * that is not `ok`; waits a little where there is only no room for it.
 */
export async function* allPages<Item>(
  period: Period,
  profile: Profile,
  fetchPage: FetchPage<Item>,
): AsyncGenerator<Outcome<Page<Item>>, void, void> {
  for (const part of splitPeriod(period, profile)) {
    for await (const result of pagesOfPart(part, fetchPage)) {
      yield result
      if (result.kind !== 'ok') return
    }
  }
}
