import type { Pool } from 'pg'

/** A statement as it was sent. */
export type Statement = { text: string; values: unknown[] }

/** A node of a plan that was executed, as far as it is looked at. */
export type PlanNode = {
  'Node Type': string
  'Relation Name'?: string
  'Index Name'?: string
  'Actual Rows': number
  'Actual Loops': number
  'Rows Removed by Filter'?: number
  'Rows Removed by Index Recheck'?: number
  'Shared Hit Blocks': number
  'Shared Read Blocks': number
  Plans?: PlanNode[]
}

/** Notes every statement that goes through a pool, outside transactions, while `work` runs. */
export const recordStatements = async <Result>(
  pool: Pool,
  work: () => Promise<Result>,
): Promise<{ result: Result; statements: Statement[] }> => {
  const statements: Statement[] = []
  const { query } = pool
  const noting = (...args: unknown[]) => {
    const [given, values] = args as [string | { text: string; values?: unknown[] }, unknown[] | undefined]
    const text = typeof given === 'string' ? given : given.text
    statements.push({ text, values: values ?? (typeof given === 'string' ? [] : (given.values ?? [])) })
    return Reflect.apply(query, pool, args)
  }
  pool.query = noting as Pool['query']
  try {
    return { result: await work(), statements }
  } finally {
    pool.query = query
  }
}

/** Executes a statement again and answers what it did. */
export const explain = async (pool: Pool, { text, values }: Statement): Promise<PlanNode> => {
  const { rows } = await pool.query(`explain (analyze, buffers, timing off, format json) ${text}`, values)
  return rows[0]['QUERY PLAN'][0].Plan
}

export const nodesOf = (plan: PlanNode): PlanNode[] => [plan, ...(plan.Plans ?? []).flatMap(nodesOf)]

// A bitmap is read twice: as an index and as the rows that it stands for. The larger of the two counts.
const readBy = (node: PlanNode): number =>
  node['Node Type'].includes('Scan')
    ? (node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0) + (node['Rows Removed by Index Recheck'] ?? 0)) *
      node['Actual Loops']
    : 0

/** How many rows and index entries the scans of a plan went through. */
export const rowsRead = (plan: PlanNode): number => nodesOf(plan).reduce((sum, node) => sum + readBy(node), 0)

/** How many blocks of 8 KiB a plan touched. */
export const blocksRead = (plan: PlanNode): number => plan['Shared Hit Blocks'] + plan['Shared Read Blocks']

/** How many rows the largest sort of a plan was given. */
export const rowsSorted = (plan: PlanNode): number =>
  Math.max(
    0,
    ...nodesOf(plan)
      .filter((node) => node['Node Type'].endsWith('Sort'))
      .map((node) => (node.Plans ?? []).reduce((sum, input) => sum + input['Actual Rows'] * input['Actual Loops'], 0)),
  )

/** A plan on one line per scan, for messages. */
export const showPlan = (plan: PlanNode): string =>
  nodesOf(plan)
    .map((node) => {
      const where = node['Index Name'] ?? node['Relation Name'] ?? ''
      return `${node['Node Type']} ${where} ${node['Actual Rows']}x${node['Actual Loops']} -${node['Rows Removed by Filter'] ?? 0}`
    })
    .join(' < ')
