import type { AddressInfo } from 'node:net'
import fastify from 'fastify'
import { staticFiles, staticFilesPlugin } from '../../../http/static-files.ts'
import { cardFieldsPage } from './card-fields.page.ts'
import { cardFieldsTexts } from './card-fields.texts.ts'

type Options = {
  host: string
  /** 0: any free port. */
  port: number
  /** The address under which browsers reach a port. */
  addressOf: (port: number) => string
  /** Whether another port will do where this one is taken. */
  mayMove: boolean
  /** The origins whose pages may show the fields. */
  parents: () => readonly string[]
}

const files = staticFiles(import.meta.dirname)
const urlOf = (name: string): string => `/${files.version}/${name}`

// The page may talk to nobody: what is typed into it has nowhere to go but the page around it, as a token.
const policy = (parents: readonly string[]): string =>
  [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "form-action 'none'",
    "base-uri 'none'",
    `frame-ancestors ${parents.join(' ')}`,
  ].join('; ')

const createServer = (parents: Options['parents']) => {
  const app = fastify({ forceCloseConnections: true })
  app.addHook('onRequest', (_request, reply, done) => {
    void reply.headers({ 'x-content-type-options': 'nosniff', 'referrer-policy': 'no-referrer' })
    done()
  })
  app.get<{ Querystring: { lang?: string } }>('/', async ({ query: { lang = '' } }, reply) => {
    const page = {
      texts: cardFieldsTexts(lang),
      parents: parents(),
      styleUrl: urlOf('card-fields.css'),
      scriptUrl: urlOf('card-fields.js'),
    }
    void reply.headers({ 'cache-control': 'no-store', 'content-security-policy': policy(page.parents) })
    return reply.type('text/html; charset=utf-8').send(cardFieldsPage(page))
  })
  void app.register(staticFilesPlugin, { files })
  return app
}

// Taken, or one that only the system's administrator may use.
const isClosed = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && (error.code === 'EADDRINUSE' || error.code === 'EACCES')

/**
 * The card fields of the simulated acquirer, on an origin of their own: another port than the platform's, so that no
 * page of the platform can read what is typed there. They take nothing in: the token is made in the browser.
 */
export const createCardFieldsServer = ({ host, port, addressOf, mayMove, parents }: Options) => {
  const app = createServer(parents)

  return {
    /** Begins to listen, once, however many servers of this process ask for it. */
    async listen(): Promise<void> {
      if (app.server.listening) return
      await app.listen({ host, port }).catch((error: unknown) => {
        if (mayMove && isClosed(error)) return app.listen({ host, port: 0 })
        throw error
      })
    },

    async close(): Promise<void> {
      await app.close()
    },

    /** The address of the page, in a language; undefined until the server listens. */
    url: (language: string): string | undefined => {
      const { port: listensOn } = (app.server.address() ?? {}) as Partial<AddressInfo>
      return listensOn === undefined ? undefined : `${addressOf(listensOn)}/?lang=${language}`
    },
  }
}

export type CardFieldsServer = ReturnType<typeof createCardFieldsServer>
