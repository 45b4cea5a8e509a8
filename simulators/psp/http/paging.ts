import { z } from 'zod'
import { isoOf } from '../clock.ts'
import type { Profile } from '../profiles.ts'
import { invalid, violation } from './problems.ts'

const DAY_MS = 86_400_000
const PAGE_SIZE_MAX = 1_000
const PAGE_SIZE_DEFAULT = 100

/** An instant as RFC 3339 has it, read into milliseconds since 1970. */
export const instant = z.iso.datetime({ offset: true }).transform((text) => Date.parse(text))

export const pageQuery = {
  'paginacao.paginaAtual': z.coerce.number().int().min(0).default(0),
  'paginacao.itensPorPagina': z.coerce.number().int().min(1).max(PAGE_SIZE_MAX).default(PAGE_SIZE_DEFAULT),
}

export const periodQuery = { inicio: instant, fim: instant, ...pageQuery }

export const flag = z.stringbool().optional()

type PageQuery = { 'paginacao.paginaAtual': number; 'paginacao.itensPorPagina': number }
type PeriodQuery = PageQuery & { inicio: number; fim: number }

export type Page = { number: number; size: number }
export type Period = { from: number; to: number }

/** The page to serve: never more than the PSP serves, whatever was asked for. */
export const pageOf = (query: PageQuery, profile: Profile): Page => ({
  number: query['paginacao.paginaAtual'],
  size: Math.min(query['paginacao.itensPorPagina'], profile.pageSizeMax),
})

/** The period to serve. Throws the Problem `type` on one that ends before it begins or is longer than the PSP allows. */
export const periodOf = ({ inicio, fim }: PeriodQuery, profile: Profile, type: string): Period => {
  if (fim < inicio) {
    throw invalid(type, [violation('fim', 'O timestamp representado pelo parâmetro fim é anterior ao inicio.')])
  }
  if (fim - inicio > profile.periodDaysMax * DAY_MS) {
    const razao = `O período entre inicio e fim excede ${profile.periodDaysMax} dias.`
    throw invalid(type, [violation('fim', razao)])
  }
  return { from: inicio, to: fim }
}

/** The envelope's `parametros`: the query as it was understood, and where in the whole list this page lies. */
export const parametersOf = (query: Record<string, unknown>, page: Page, total: number): Record<string, unknown> => {
  const asked = Object.entries(query).flatMap(([name, value]) => {
    if (value === undefined || name.startsWith('paginacao.')) return []
    return [[name, name === 'inicio' || name === 'fim' ? isoOf(Number(value)) : value]]
  })
  return {
    ...Object.fromEntries(asked),
    paginacao: {
      paginaAtual: page.number,
      itensPorPagina: page.size,
      quantidadeDePaginas: Math.max(1, Math.ceil(total / page.size)),
      quantidadeTotalDeItens: total,
    },
  }
}
