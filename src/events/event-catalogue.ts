import type { z } from 'zod'
import { EVENT_TYPES, type EventType } from './event-types.ts'
import { eventBody } from './events.repository.ts'

/** What receivers are told of one type of event. */
export type EventEntry = {
  /** What happened: one or two sentences. */
  description: string
  /** The thing it happened to. `name` is that of the schema in the OpenAPI document. */
  data: { name: string; schema: z.ZodType }
  /** `data` as the code that sends it makes it. */
  example: object
  /** When the example happened. */
  happenedAt: Date
}

/** One entry for each type: a type without one does not compile. */
export type EventEntries<Type extends EventType = EventType> = Readonly<Record<Type, EventEntry>>

const EXAMPLE_EVENT_ID = '01939f3e-9999-7b1e-9d6a-3f5b8c2d1e00'

/** A body as a webhook gets it, with the example as its data. */
export const exampleBody = (type: EventType, { example, happenedAt }: EventEntry): unknown =>
  JSON.parse(eventBody(EXAMPLE_EVENT_ID, { type, data: example }, happenedAt))

/** The entries in the order of the list of types. */
export const listEntries = <Type extends EventType>(entries: EventEntries<Type>): [Type, EventEntry][] =>
  EVENT_TYPES.filter((type): type is Type => type in entries).map((type) => [type, entries[type]])
