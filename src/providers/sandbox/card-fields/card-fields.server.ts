import type { AddressInfo } from 'node:net'
import fastify, { type FastifyReply } from 'fastify'
import { staticFiles, staticFilesPlugin } from '../../../http/static-files.ts'
import type { CardFieldsPlace } from '../../provider.port.ts'
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
  /** The origins of the checkout. */
  parents: () => readonly string[]
}

const LOOPBACK = ['http://localhost:*', 'http://127.0.0.1:*']

/**
 * Which pages may show the fields, by their path: those of the checkout alone, or any shop's. A shop that embeds them learns
 * nothing but a token, which is worth nothing to anybody without a seller's credentials.
 */
const PATHS = { checkout: '/', shop: '/shop' } as const satisfies Record<CardFieldsPlace, string>

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

type Asked = { Querystring: { lang?: string } }

/** Whom the fields speak to, and who may show them. */
type Embedding = { known: readonly string[]; ancestors: readonly string[] }

const createServer = (parents: Options['parents']) => {
  const app = fastify({ forceCloseConnections: true })
  app.addHook('onRequest', (_request, reply, done) => {
    void reply.headers({ 'x-content-type-options': 'nosniff', 'referrer-policy': 'no-referrer' })
    done()
  })
  const show = (reply: FastifyReply, lang: string, { known, ancestors }: Embedding) => {
    const urls = { styleUrl: urlOf('card-fields.css'), scriptUrl: urlOf('card-fields.js') }
    void reply.headers({ 'cache-control': 'no-store', 'content-security-policy': policy(ancestors) })
    return reply
      .type('text/html; charset=utf-8')
      .send(cardFieldsPage({ texts: cardFieldsTexts(lang), parents: known, ...urls }))
  }
  app.get<Asked>(PATHS.checkout, async ({ query: { lang = '' } }, reply) =>
    show(reply, lang, { known: parents(), ancestors: parents() }),
  )
  app.get<Asked>(PATHS.shop, async ({ query: { lang = '' } }, reply) =>
    show(reply, lang, { known: ['*'], ancestors: ['https:', ...LOOPBACK] }),
  )
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

    /** The address of the page, in a language and for who shows it; undefined until the server listens. */
    url: (language: string, place: CardFieldsPlace = 'checkout'): string | undefined => {
      const { port: listensOn } = (app.server.address() ?? {}) as Partial<AddressInfo>
      return listensOn === undefined ? undefined : `${addressOf(listensOn)}${PATHS[place]}?lang=${language}`
    },
  }
}

export type CardFieldsServer = ReturnType<typeof createCardFieldsServer>
