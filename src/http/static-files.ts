import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { extname, join } from 'node:path'
import fastifyStatic from '@fastify/static'
import type { FastifyPluginAsync } from 'fastify'
import { variesBy } from './negotiation.ts'

const HASH_LENGTH = 12

// The library calls scripts application/javascript, which RFC 9239 made obsolete.
const TYPES = new Map([
  ['.css', 'text/css; charset=utf-8'],
  ['.js', 'text/javascript; charset=utf-8'],
])

/**
 * The styles and scripts of a folder, for browsers. Their path, `version/name`, changes with the content of any of them,
 * so that they may be kept for ever and a page never meets the script of another release.
 */
export const staticFiles = (folder: string) => {
  const names = readdirSync(folder)
    .filter((name) => TYPES.has(extname(name)))
    .sort()
  const hash = createHash('sha256')
  for (const name of names) hash.update(name).update(readFileSync(join(folder, name)))
  return { folder, names, version: hash.digest('hex').slice(0, HASH_LENGTH) }
}

export type StaticFiles = ReturnType<typeof staticFiles>

/** Serves the files of a folder under their paths, and nothing else that lies there. */
export const staticFilesPlugin: FastifyPluginAsync<{ files: StaticFiles }> = async (app, { files }) => {
  await app.register(fastifyStatic, {
    root: files.folder,
    serve: false,
    contentType: false,
    immutable: true,
    maxAge: '365d',
  })

  app.get<{ Params: { version: string; name: string } }>(
    '/:version/:name',
    { config: { access: 'public', large: true }, schema: { hide: true } },
    async ({ params: { version, name } }, reply) => {
      if (version !== files.version || !files.names.includes(name)) return reply.callNotFound()
      const type = TYPES.get(extname(name)) ?? ''
      return variesBy(reply, 'accept-encoding').type(type).sendFile(name)
    },
  )
}
