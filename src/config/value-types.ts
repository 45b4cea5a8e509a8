import { isIP } from 'node:net'
import { z } from 'zod'
import { asksForWriter, hostUrls, withVerifiedTls } from '../database-url.ts'

const isNetwork = (text: string): boolean => {
  const [address = '', bits, ...rest] = text.split('/')
  const widest = isIP(address) === 4 ? 32 : 128
  return isIP(address) > 0 && rest.length === 0 && /^\d{1,3}$/.test(bits ?? '') && Number(bits) <= widest
}

/** Texts between commas, without those that are empty. */
export const textList = z
  .string()
  .transform((text) => text.split(',').flatMap((part) => (part.trim() === '' ? [] : [part.trim()])))

/** Secrets between commas, newest first: what the others made stays good while they are listed. */
export const secretList = z
  .string()
  .transform((text) => text.split(',').map((part) => part.trim()))
  .refine((secrets) => secrets.every(({ length }) => length >= 32), 'must have at least 32 characters')
  .refine((secrets) => secrets.every(({ length }) => length <= 1_000), 'must have at most 1000 characters')
  .refine((secrets) => secrets.length <= 10, 'must be at most ten, separated by commas')

export const networkList = textList.refine(
  (networks) => networks.every(isNetwork),
  'must be networks like 10.0.0.0/8, separated by commas',
)

export const wholeNumber = (min: number, max: number) =>
  z
    .string()
    .regex(/^\d+$/, 'must be a whole number')
    .transform(Number)
    .refine((value) => value >= min && value <= max, `must be from ${min} to ${max}`)

export const trueOrFalse = z.enum(['true', 'false'], 'must be true or false').transform((text) => text === 'true')

export const share = z
  .string()
  .regex(/^\d*\.?\d+$/, 'must be a number from 0 to 1')
  .transform(Number)
  .refine((value) => value <= 1, 'must be a number from 0 to 1')

export const httpUrl = z
  .string()
  .refine((text) => URL.canParse(text) && /^https?:$/.test(new URL(text).protocol), 'must be an http(s) URL')

/** A Postgres that is read from: one host. */
export const replicaUrl = z
  .string()
  .refine((text) => hostUrls(text).length === 1, 'must be a postgres:// URL of one host')
  .transform(withVerifiedTls)

/** A Postgres that is written to, or several hosts between commas of which one is. */
export const databaseUrl = z
  .string()
  .refine(
    (text) => hostUrls(text).length > 0,
    'must be a postgres:// URL, like postgres://user:password@a:5432,b:5432/db',
  )
  .refine(asksForWriter, 'is written to: target_session_attrs must be read-write')
  .transform(withVerifiedTls)

/** What a reader of text throws is a fault of the variable. Its message never quotes the text, which may hold a password. */
export const read =
  <Value>(reader: (text: string) => Value) =>
  (text: string, context: z.RefinementCtx): Value => {
    try {
      return reader(text)
    } catch (error) {
      context.addIssue({ code: 'custom', message: error instanceof Error ? error.message : 'cannot be read' })
      return z.NEVER
    }
  }

export const publicUrl = httpUrl.transform((text) => text.replace(/\/+$/, ''))
