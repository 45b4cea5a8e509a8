/** Pieces of which the schemas of answers are made. Unknown fields are left out, because every answer may grow. */
import { z } from 'zod'

/** What may be missing, and what some PSPs write as null instead. */
export const orNull = <Value>(schema: z.ZodType<Value>) => schema.nullish().transform((value) => value ?? null)

/** A PSP's own words. They may name people: for the eyes of an operator, never for a log. */
export const words = z.string().transform((text) => text.slice(0, 140))

/** A name of the API's by our own. Enumerations may grow: a name that is not known is `other`, and no fault. */
export const named = <Name extends string>(names: Readonly<Record<string, Name>>) => {
  const known = new Map(Object.entries(names))
  return z
    .string()
    .max(100)
    .transform((text): Name | 'other' => known.get(text) ?? 'other')
}

/** Refuses an answer about something else than what was asked for. */
export const isSame = (asked: string, answered: string): boolean => asked.toLowerCase() === answered.toLowerCase()
