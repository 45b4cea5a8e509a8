import type { Random } from './random.ts'

const FIRST = [
  'Francisco',
  'Juliana',
  'Antônio',
  'Camila',
  'Pedro',
  'Larissa',
  'Lucas',
  'Fernanda',
  'Bruno',
  'Aline',
] as const
const LAST = [
  'da Silva',
  'Santos',
  'Oliveira',
  'Ferreira',
  'Gomes',
  'Carvalho',
  'Araújo',
  'Teixeira',
  'Moreira',
] as const

const ascii = (text: string): string => text.normalize('NFD').replace(/[^a-zA-Z ]/g, '')

/** Somebody who pays, with an address at example.com. */
export const madeUpPayer = (random: Random): { name: string; email: string; phone: string } => {
  const name = `${random.pick(FIRST)} ${random.pick(LAST)}`
  const email = `${ascii(name).toLowerCase().replaceAll(' ', '.')}@example.com`
  return { name, email, phone: `119${random.between(10_000_000, 99_999_999)}` }
}
