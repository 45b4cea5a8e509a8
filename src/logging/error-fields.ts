const CAUSES_MAX = 4

// What Postgres says of a failure without the values that failed. `detail` and `where` would quote them.
const SAFE_FIELDS = ['code', 'severity', 'constraint', 'table', 'column', 'schema', 'routine', 'status'] as const

// SQLSTATE class 22 is "data exception": its messages quote the value.
const QUOTES_VALUES = /^22/

/** An error's message without the values that a database puts into it. */
export const messageOf = (error: Error): string => {
  const { code } = error as { code?: unknown }
  if (typeof code === 'string' && QUOTES_VALUES.test(code) && 'severity' in error) return 'a value was refused'
  // Drizzle appends the parameters of the statement to its text.
  return error.message.replace(/\n?params: [\s\S]*$/, '')
}

const framesOf = (stack: string | undefined): string =>
  (stack ?? '')
    .split('\n')
    .filter((line) => /^\s+at /.test(line))
    .join('\n')

const fieldsOf = (error: Error): Record<string, unknown> =>
  Object.fromEntries(
    SAFE_FIELDS.flatMap((name) => {
      const value = (error as unknown as Record<string, unknown>)[name]
      return value === undefined ? [] : [[name, value]]
    }),
  )

/** What is logged of an error: never a statement's parameters, and no field that an author of an error made up. */
export const errorFields = (error: unknown, depth = 0): Record<string, unknown> => {
  if (!(error instanceof Error)) return { type: typeof error }
  return {
    type: error.name,
    message: messageOf(error),
    ...fieldsOf(error),
    stack: framesOf(error.stack),
    ...(error.cause !== undefined && depth < CAUSES_MAX ? { cause: errorFields(error.cause, depth + 1) } : {}),
  }
}
