import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { brotliCompressSync, gzipSync } from 'node:zlib'

/** A file of ours for browsers, under a name that changes with its content, so that it may be kept for ever. */
export type StaticFile = {
  /** Like `checkout.1b9d6a3f5b8c.css`. */
  name: string
  type: string
  /** The content by its encoding. */
  bodies: Readonly<Record<'br' | 'gzip' | 'identity', Buffer>>
}

const HASH_LENGTH = 12

export const STATIC_FILE_HEADERS = {
  'cache-control': 'public, max-age=31536000, immutable',
  vary: 'accept-encoding',
} as const

const TYPES = { css: 'text/css; charset=utf-8', js: 'text/javascript; charset=utf-8' } as const

/** Makes a file of a text. Compressed once, at the start. */
export const staticFile = (stem: string, kind: keyof typeof TYPES, text: string): StaticFile => {
  const hash = createHash('sha256').update(text).digest('hex').slice(0, HASH_LENGTH)
  const identity = Buffer.from(text)
  const bodies = { br: brotliCompressSync(identity), gzip: gzipSync(identity), identity }
  return { name: `${stem}.${hash}.${kind}`, type: TYPES[kind], bodies }
}

/** One script of several modules, in an order in which each comes after those that it imports: one request, no build. */
export const joinedModules = (paths: readonly string[]): string =>
  paths
    .map((path) =>
      readFileSync(path, 'utf8')
        .replace(/^import .*\n/gm, '')
        .replace(/^export /gm, ''),
    )
    .join('\n')

/** The smallest encoding that an Accept-Encoding header welcomes. */
export const encodingFor = (accept: string | undefined): keyof StaticFile['bodies'] => {
  const welcome = new Set(
    (accept ?? '').split(',').flatMap((entry) => {
      const [coding = '', ...parameters] = entry
        .toLowerCase()
        .split(';')
        .map((part) => part.trim())
      return parameters.some((parameter) => /^q=0(?:\.0*)?$/.test(parameter)) ? [] : [coding]
    }),
  )
  if (welcome.has('br')) return 'br'
  return welcome.has('gzip') ? 'gzip' : 'identity'
}
