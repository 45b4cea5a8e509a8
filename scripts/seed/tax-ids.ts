import { isCnpj, isCpf } from '../../src/domain/tax-id.ts'
import type { Random } from './random.ts'

const digits = (random: Random, count: number): string =>
  Array.from({ length: count }, () => random.between(0, 9)).join('')

// Of a hundred pairs of check digits exactly one is right, or none where all digits would be the same.
const complete = (root: string, isValid: (text: string) => boolean): string | undefined =>
  Array.from({ length: 100 }, (_, pair) => root + String(pair).padStart(2, '0')).find(isValid)

/** A CPF with right check digits, of nobody in particular. */
export const madeUpCpf = (random: Random): string => complete(digits(random, 9), isCpf) ?? madeUpCpf(random)

/** A CNPJ with right check digits. */
export const madeUpCnpj = (random: Random): string => complete(`${digits(random, 8)}0001`, isCnpj) ?? madeUpCnpj(random)
