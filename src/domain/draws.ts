import { add, type Centavos, smaller, subtract, ZERO } from './money.ts'

/** Something of a payment that money can be taken from: a part that waits, or a hold. */
export type Source = { id: string; amount: Centavos }

/** What was taken from one of them. */
export type Draw = { id: string; amount: Centavos }

/** What a refund or a dispute took from a payment's own money, by settlement and by hold. */
export type Draws = { settlements: Draw[]; holds: Draw[] }

export const NO_DRAWS: Draws = { settlements: [], holds: [] }

export const totalOf = (draws: readonly Draw[]): Centavos => add(...draws.map(({ amount }) => amount))

/** Takes an amount from sources, in their order, as much as each has. What they do not have is the rest. */
export const drawFrom = (amount: Centavos, sources: readonly Source[]): { draws: Draw[]; restAmount: Centavos } => {
  let restAmount = amount
  const draws: Draw[] = []
  for (const { id, amount: left } of sources) {
    const taken = smaller(left, restAmount)
    if (taken <= 0) continue
    draws.push({ id, amount: taken })
    restAmount = subtract(restAmount, taken)
  }
  return { draws, restAmount }
}

/** Parts the draws by whether what they were taken from can still take them back. */
export const partDraws = (draws: readonly Draw[], open: ReadonlySet<string>): { back: Draw[]; passed: Draw[] } => ({
  back: draws.filter(({ id }) => open.has(id)),
  passed: draws.filter(({ id }) => !open.has(id)),
})

type WaitingPart = { id: string; amount: Centavos; canceledAmount: Centavos }

/** What parts that wait still have to give. */
export const partSources = (parts: readonly WaitingPart[]): Source[] =>
  parts.map(({ id, amount, canceledAmount }) => ({ id, amount: subtract(amount, canceledAmount) }))

type Hold = { id: string; amount: Centavos; releasedAmount: Centavos; consumedAmount: Centavos; status: string }

/**
 * What holds still have to give. A hold that a dispute has frozen gives only what the dispute does not claim of it,
 * and only to that dispute (`frozenDraws`); without it frozen holds give nothing.
 */
export const holdSources = (holds: readonly Hold[], frozenDraws?: readonly Draw[]): Source[] =>
  holds
    .filter(({ status }) => status === 'held' || (status === 'frozen' && frozenDraws !== undefined))
    .map(({ id, amount, releasedAmount, consumedAmount }) => {
      const claimed = (frozenDraws ?? []).filter((draw) => draw.id === id)
      return {
        id,
        amount: subtract(amount, releasedAmount, consumedAmount, claimed.length > 0 ? totalOf(claimed) : ZERO),
      }
    })
