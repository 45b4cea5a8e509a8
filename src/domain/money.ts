declare const centavosBrand: unique symbol
/** An integer number of centavos (BRL), within the safe integers. */
export type Centavos = number & { readonly [centavosBrand]: 'centavos' }

declare const percentBrand: unique symbol
/** A percentage as an integer number of basis points: 1050 is 10.5 %. */
export type Bps = number & { readonly [percentBrand]: 'bps' }

/** The largest amount of one payment or posting: 10 billion reais, far inside the safe integers. */
export const AMOUNT_MAX = 1_000_000_000_000

/** Marks a number as centavos. Throws a RangeError on anything but a safe integer. */
export const centavos = (value: number): Centavos => {
  if (!Number.isSafeInteger(value)) throw new RangeError(`not a whole number of centavos: ${value}`)
  return value as Centavos
}

/** Marks a number as basis points (0 to 10,000). Throws a RangeError otherwise. */
export const bps = (value: number): Bps => {
  if (!Number.isInteger(value) || value < 0 || value > 10_000) throw new RangeError(`not basis points: ${value}`)
  return value as Bps
}

/** From a percentage with up to two decimals, as the API has it, to basis points. Exact. */
export const toBps = (percentage: number): Bps => bps(Math.round(percentage * 100))

/** From basis points to a percentage, as the API has it. */
export const toPercentage = (rate: number): number => rate / 100

export const ZERO = centavos(0)

export const add = (...amounts: readonly Centavos[]): Centavos =>
  centavos(amounts.reduce<number>((total, amount) => total + amount, 0))

/** The first amount less all the others. May be negative. */
export const subtract = (from: Centavos, ...amounts: readonly Centavos[]): Centavos =>
  centavos(amounts.reduce<number>((rest, amount) => rest - amount, from))

export const negate = (amount: Centavos): Centavos => centavos(amount === 0 ? 0 : -amount)

/** Writes an amount in reais with two decimals, as the Pix standard does: `66.66`. `amount` must not be negative. */
export const toDecimal = (amount: Centavos): string => {
  if (amount < 0) throw new RangeError(`a negative amount: ${amount}`)
  const digits = String(amount).padStart(3, '0')
  return `${digits.slice(0, -2)}.${digits.slice(-2)}`
}

/** Reads reais with two decimals, without a float in between. Throws a RangeError on any other form. */
export const fromDecimal = (text: string): Centavos => {
  if (!/^\d{1,13}\.\d{2}$/.test(text)) throw new RangeError('not an amount with two decimals')
  return centavos(Number(text.replace('.', '')))
}

/** The amount without its sign. */
export const absolute = (amount: Centavos): Centavos => (amount < 0 ? negate(amount) : amount)

export const smaller = (first: Centavos, second: Centavos): Centavos => (first < second ? first : second)

export const larger = (first: Centavos, second: Centavos): Centavos => (first > second ? first : second)

/** The one rounding place of the platform: half a centavo rounds up. `amount` must not be negative. */
export const percentOf = (amount: Centavos, rate: Bps): Centavos =>
  centavos(Number((BigInt(amount) * BigInt(rate) + 5_000n) / 10_000n))

/** A rate that is meant for `ofDays`, over `days` of them; half a centavo rounds up. `amount` must not be negative. */
export const percentOverDays = (amount: Centavos, rate: Bps, days: number, ofDays: number): Centavos => {
  const dividend = BigInt(amount) * BigInt(rate) * BigInt(days)
  const divisor = 10_000n * BigInt(ofDays)
  return centavos(Number((2n * dividend + divisor) / (2n * divisor)))
}

/** Splits an amount into `parts` that sum to it exactly; the remainder centavos go to the first part. */
export const allocate = (amount: Centavos, parts: number): Centavos[] => {
  if (!Number.isInteger(parts) || parts < 1) throw new RangeError(`cannot split into ${parts} parts`)
  const each = Math.trunc(amount / parts)
  const first = amount - each * (parts - 1)
  return Array.from({ length: parts }, (_, index) => centavos(index === 0 ? first : each))
}

/** The mean of `count` amounts that sum to `total`, half a centavo up; zero for none. `total` must not be negative. */
export const meanOf = (total: Centavos, count: number): Centavos =>
  count === 0 ? ZERO : centavos(Number((BigInt(total) * 2n + BigInt(count)) / (BigInt(count) * 2n)))

/** A share of a whole in percent with two decimals, for reports: halves away from zero, zero of nothing. */
export const shareOf = (part: number, whole: number): number => {
  if (whole === 0) return 0
  const twice = BigInt(Math.abs(part)) * 20_000n + BigInt(whole)
  const hundredths = Number(twice / (BigInt(whole) * 2n))
  return (part < 0 && hundredths !== 0 ? -hundredths : hundredths) / 100
}
