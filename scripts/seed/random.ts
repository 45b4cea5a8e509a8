/** The same numbers for the same seed, on every machine: a demo that can be talked about. */
export type Random = {
  /** From `min` to `max`, both included. */
  between(min: number, max: number): number
  /** True this often, from 0 to 1. */
  chance(probability: number): boolean
  pick<Item>(items: readonly [Item, ...Item[]]): Item
}

// Mulberry32: one word of state, enough for made-up shopping.
const createNumbers = (seed: number) => {
  let state = seed >>> 0
  return (): number => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

/** Each subject gets a stream of its own, so that one more draw here changes nothing there. */
export const createRandom = (subject: string): Random => {
  let seed = 2_166_136_261
  for (const character of subject) seed = Math.imul(seed ^ character.charCodeAt(0), 16_777_619)
  const next = createNumbers(seed)
  return {
    between: (min, max) => min + Math.floor(next() * (max - min + 1)),
    chance: (probability) => next() < probability,
    pick: (items) => items[Math.floor(next() * items.length)] ?? items[0],
  }
}
