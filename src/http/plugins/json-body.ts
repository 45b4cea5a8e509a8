import { isUtf8 } from 'node:buffer'
import type { FastifyInstance } from 'fastify'
import fastifyPlugin from 'fastify-plugin'
import { requestErrors } from '../../errors.ts'

const notJson = (message: string) =>
  requestErrors.failed({ errors: [{ in: 'body', path: '', code: 'invalid_json', message }] })

/** Where the parser stopped. Its own message quotes the body, which may be personal. */
const placeOf = (error: unknown, text: string): string => {
  const position = /at position (\d+)/.exec(error instanceof Error ? error.message : '')?.[1]
  if (position === undefined) return 'The body ends before the JSON does.'
  const before = text.slice(0, Number(position)).split('\n')
  return `The body is not JSON from line ${before.length}, column ${(before.at(-1)?.length ?? 0) + 1} on.`
}

/** Parses a JSON text. Throws validation.failed that names the place, never the content. */
export const parseJson = (bytes: Buffer): unknown => {
  if (!isUtf8(bytes)) throw notJson('The body must be UTF-8.')
  const text = bytes.toString('utf8').replace(/^\uFEFF/, '')
  try {
    return JSON.parse(text)
  } catch (error) {
    throw notJson(placeOf(error, text))
  }
}

// Behind the parser null would be no body at all, which some operations take.
const refuseNull = (parsed: unknown): unknown => {
  if (parsed !== null) return parsed
  const message = 'The body must be an object. Where it may be left out, send none.'
  throw requestErrors.failed({ errors: [{ in: 'body', path: '', code: 'invalid_type', message }] })
}

/**
 * JSON is the only body that operations take unless they say otherwise: any other content type is a 415.
 * An empty body is an absent one, because clients send the content type with requests that have none.
 */
export const jsonBodyPlugin = fastifyPlugin(async (app: FastifyInstance) => {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, async (_request: unknown, body: Buffer) =>
    body.length === 0 ? undefined : refuseNull(parseJson(body)),
  )
})
