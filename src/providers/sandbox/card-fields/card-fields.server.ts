import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import {
  encodingFor,
  joinedModules,
  STATIC_FILE_HEADERS,
  type StaticFile,
  staticFile,
} from '../../../http/static-files.ts'
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

const fileAt = (name: string): string => join(import.meta.dirname, name)
const style = staticFile('card-fields', 'css', readFileSync(fileAt('card-fields.css'), 'utf8'))
const script = staticFile('card-fields', 'js', joinedModules(['card-checks.js', 'card-fields.js'].map(fileAt)))
const FILES = new Map([style, script].map((file) => [`/${file.name}`, file]))

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

const COMMON_HEADERS = { 'x-content-type-options': 'nosniff', 'referrer-policy': 'no-referrer' }

const sendFile = ({ headers }: IncomingMessage, response: ServerResponse, file: StaticFile): void => {
  const encoding = encodingFor(headers['accept-encoding'] as string | undefined)
  const coded = encoding === 'identity' ? {} : { 'content-encoding': encoding }
  response.writeHead(200, { ...COMMON_HEADERS, ...STATIC_FILE_HEADERS, ...coded, 'content-type': file.type })
  response.end(file.bodies[encoding])
}

const sendPage = (response: ServerResponse, language: string | null, parents: readonly string[]): void => {
  response.writeHead(200, {
    ...COMMON_HEADERS,
    'content-type': 'text/html; charset=utf-8',
    'cache-control': 'no-store',
    'content-security-policy': policy(parents),
  })
  const texts = cardFieldsTexts(language)
  response.end(cardFieldsPage({ texts, parents, styleUrl: `/${style.name}`, scriptUrl: `/${script.name}` }))
}

const isInUse = (error: unknown): boolean => error instanceof Error && 'code' in error && error.code === 'EADDRINUSE'

/**
 * The card fields of the simulated acquirer, on an origin of their own: another port than the platform's, so that no
 * page of the platform can read what is typed there. They take nothing in: the token is made in the browser.
 */
export const createCardFieldsServer = ({ host, port, addressOf, mayMove, parents }: Options) => {
  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://fields')
    const file = FILES.get(pathname)
    if (request.method !== 'GET' || (file === undefined && pathname !== '/'))
      response.writeHead(404, COMMON_HEADERS).end()
    else if (file) sendFile(request, response, file)
    else sendPage(response, searchParams.get('lang'), parents())
  })

  const listenOn = async (chosen: number): Promise<void> => {
    server.listen(chosen, host)
    await once(server, 'listening')
  }

  return {
    /** Begins to listen, once, however many servers of this process ask for it. */
    async listen(): Promise<void> {
      if (server.listening) return
      await listenOn(port).catch((error: unknown) => {
        if (mayMove && isInUse(error)) return listenOn(0)
        throw error
      })
    },

    async close(): Promise<void> {
      if (!server.listening) return
      server.close()
      server.closeAllConnections()
      await once(server, 'close')
    },

    /** The address of the page, in a language; undefined until the server listens. */
    url: (language: string): string | undefined => {
      const { port: listensOn } = (server.address() ?? {}) as Partial<AddressInfo>
      return listensOn === undefined ? undefined : `${addressOf(listensOn)}/?lang=${language}`
    },
  }
}

export type CardFieldsServer = ReturnType<typeof createCardFieldsServer>
