import { AsyncLocalStorage } from 'node:async_hooks'

/** What a span may hold: names, ids, counts and codes, never what people or sellers typed. */
export type SpanFields = Readonly<Record<string, string | number | boolean>>

/** Who causes the work: `server` answers a request, `client` makes one, `internal` neither. */
export type SpanKind = 'server' | 'client' | 'internal'

export type SpanStart = {
  name: string
  kind: SpanKind
  fields?: SpanFields | undefined
  /** The span that caused this one, or its name where it was in another process. Absent: a trace begins here. */
  parent?: Span | string | undefined
}

export type Span = {
  /** Its name all over the world, as the header `traceparent` writes it (W3C Trace Context). */
  readonly name: string
  /** Whether it is kept. What is not kept has a name all the same, so that nothing below it is kept either. */
  readonly isKept: boolean
  note(fields: SpanFields): void
  /** Leads to another trace, in which part of the work was done. */
  link(other: Span): void
  /** Marks the span as failed. The reason is a code or a kind of error: messages may hold what is nobody's business. */
  fail(reason: string): void
  end(): void
}

/** Begins spans and sees to it that they arrive somewhere. */
export type Tracer = (start: SpanStart) => Span

// One for the process, as the current span is: handing it through every factory would put it where nobody asks for it.
let tracer: Tracer | undefined
const open = new AsyncLocalStorage<Span | undefined>()

/** Has everything from now on traced, or nothing. */
export const traceWith = (chosen: Tracer | undefined): void => {
  tracer = chosen
}

export const isTracing = (): boolean => tracer !== undefined

/** The span within which the caller runs. Always undefined while nothing is traced. */
export const currentSpan = (): Span | undefined => (tracer === undefined ? undefined : open.getStore())

/** What to keep beside a row whose later work belongs to the current trace. Undefined where nothing is kept of it. */
export const currentTrace = (): string | undefined => {
  const span = currentSpan()
  return span?.isKept ? span.name : undefined
}

/** Begins a span that the caller ends. Undefined while nothing is traced. */
export const beginSpan = (start: SpanStart): Span | undefined => tracer?.(start)

/** Runs work within a span, without ending it. */
export const within = <Result>(span: Span | undefined, work: () => Result): Result => open.run(span, work)

/** Runs work within a span of its own, which ends with it; below the current one, unless `start` names another parent. */
export const traced = async <Result>(start: SpanStart, work: (span?: Span) => Promise<Result>): Promise<Result> => {
  const span = beginSpan({ parent: currentSpan(), ...start })
  if (span === undefined) return work()
  try {
    return await within(span, () => work(span))
  } catch (error) {
    span.fail(error instanceof Error ? error.name : 'Error')
    throw error
  } finally {
    span.end()
  }
}

/**
 * Runs work that is done for many callers at once: in the trace of the first, to which those of the others lead. Without a
 * name it is in none.
 */
export const tracedTogether = async <Result>(
  name: string | undefined,
  callers: () => readonly (Span | undefined)[],
  work: () => Promise<Result>,
): Promise<Result> => {
  if (tracer === undefined || name === undefined) return work()
  const all = callers()
  const [first, ...others] = all.filter((span) => span !== undefined)
  // Whoever happened to begin the batch is not the one that it is for.
  if (first === undefined) return within(undefined, work)
  const fields = { 'batch.size': all.length }
  return traced({ name, kind: 'internal', parent: first, fields }, (span) => {
    if (span) for (const other of others) other.link(span)
    return work()
  })
}
