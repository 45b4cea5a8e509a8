/** One line of the result: what was measured, against what in the same run, and whether the bound holds. */
export type Row = {
  name: string
  measured: string
  compared: string
  /** What the bound is about: a ratio, or the measured figure itself. */
  value: number
  bound: { atLeast: number } | { atMost: number }
  /** Everything else that was seen, for the JSON. */
  details?: object
}

export const holds = ({ value, bound }: Row): boolean =>
  'atLeast' in bound ? value >= bound.atLeast : value <= bound.atMost

const boundText = ({ bound }: Row): string => ('atLeast' in bound ? `≥ ${bound.atLeast}` : `≤ ${bound.atMost}`)

const COLUMNS = ['', 'measured', 'compared with', 'value', 'bound', ''] as const

/** The rows as a Markdown table. */
export const tableOf = (rows: readonly Row[]): string => {
  const cells = rows.map((row) => [
    row.name,
    row.measured,
    row.compared,
    row.value.toFixed(row.value < 10 ? 2 : 0),
    boundText(row),
    holds(row) ? 'holds' : 'MISSED',
  ])
  const widths = COLUMNS.map((title, index) => Math.max(title.length, ...cells.map((line) => line[index]?.length ?? 0)))
  const line = (parts: readonly string[]) =>
    `| ${parts.map((part, index) => part.padEnd(widths[index] ?? 0)).join(' | ')} |`
  return [line(COLUMNS), `|${widths.map((width) => '-'.repeat(width + 2)).join('|')}|`, ...cells.map(line)].join('\n')
}

/** The value that this share of sorted values does not pass. */
export const percentile = (sorted: readonly number[], share: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0

/** The middle one, which one lucky or unlucky round does not move. */
export const median = (values: readonly number[]): number =>
  percentile(
    [...values].sort((a, b) => a - b),
    0.5,
  )
