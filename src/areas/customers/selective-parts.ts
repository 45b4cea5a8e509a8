/** As long as what an index of trigrams knows. */
const WINDOW = 3

/** What a larger share of the rows has narrows a search by less than it costs. */
const COMMON_SHARE = 1 / 4

const IN_WORD = /^[\p{L}\p{N}]+$/u
const BEHIND_WORD = /^[\s\p{P}\p{S}]$/u

// Joined where they overlap, and with what stands behind a word: so the index knows that the word ends there.
const joined = (search: string, starts: readonly number[]): string[] =>
  starts
    .filter((start) => !starts.includes(start - 1))
    .map((first) => {
      let end = first + WINDOW
      while (starts.includes(end - WINDOW + 1)) end += 1
      return search.slice(first, BEHIND_WORD.test(search.charAt(end)) ? end + 1 : end)
    })

/**
 * The parts of a search that tell what it finds from other rows. An index of trigrams walks over all rows that have one of
 * them: of a word that hundreds of thousands share it walks far to leave out few. `samples` are texts of some rows: what
 * many of them have is left out, unless the search has nothing else. Whatever contains the search contains each part.
 */
export const selectiveParts = (search: string, samples: readonly string[]): string[] => {
  const known = samples.map((sample) => sample.toLowerCase())
  const isTelling = (window: string): boolean =>
    window.length === WINDOW &&
    IN_WORD.test(window) &&
    known.filter((text) => text.includes(window)).length <= known.length * COMMON_SHARE
  const starts = Array.from({ length: search.length }, (_, start) => start)
  const parts = joined(
    search,
    starts.filter((start) => isTelling(search.slice(start, start + WINDOW).toLowerCase())),
  )
  return parts.length === 0 ? [search] : parts
}
