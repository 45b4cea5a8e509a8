import { createServer as createPlainServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import type { TLSSocket } from 'node:tls'
import { until } from '../until.ts'
import { theStandard } from './client.ts'

/** One call that came in. */
export type ReceivedCall = {
  method: string
  url: string
  body: Record<string, unknown>
  /** The common name of the certificate that was shown, if any. */
  certificate: string | undefined
}

type TlsOptions = { key: string; cert: string; ca: string; isMutual: boolean }

const clientName = ({ socket }: IncomingMessage): string | undefined => {
  if (!('getPeerCertificate' in socket)) return undefined
  const { CN } = (socket as TLSSocket).getPeerCertificate().subject ?? {}
  return typeof CN === 'string' ? CN : undefined
}

export type CallbackReceiver = Awaited<ReturnType<typeof startCallbackReceiver>>

/** A merchant's server on the loopback, which takes callbacks and answers as it is told. */
export const startCallbackReceiver = async (tls?: TlsOptions) => {
  const received: ReceivedCall[] = []
  const answers: number[] = []

  const take = (request: IncomingMessage, response: ServerResponse): void => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const body = JSON.parse(Buffer.concat(chunks).toString() || '{}')
      const { method = '', url = '' } = request
      received.push({ method, url, body, certificate: clientName(request) })
      response.writeHead(answers.shift() ?? 200).end()
    })
  }

  const server = tls
    ? createServer({ ...tls, requestCert: tls.isMutual, rejectUnauthorized: tls.isMutual }, take)
    : createPlainServer(take)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo

  /** Pix of all callbacks so far, in the order in which they came. */
  const pix = (): Record<string, unknown>[] =>
    received.flatMap(({ body }) => (Array.isArray(body.pix) ? (body.pix as Record<string, unknown>[]) : []))

  /** What about the callbacks of received Pix is not as the standard has it. Efí's of payouts are its own. */
  const misfits = (): string[] =>
    received
      .filter(({ body }) => Array.isArray(body.pix) && body.pix.every((told) => !('tipo' in told)))
      .flatMap(({ body }) => theStandard().judgeCallback(body) ?? [])

  return {
    url: `${tls ? 'https' : 'http'}://localhost:${port}/hooks`,
    received,
    /** Statuses of the next answers; 200 when none is left. */
    answers,
    pix,
    misfits,
    /** Waits until so many Pix were told. Throws where a callback does not fit the standard. */
    waitForPix: async (count: number): Promise<Record<string, unknown>[]> => {
      const told = await until(`${count} Pix are told`, () => pix().length >= count && pix())
      if (misfits().length > 0) throw new Error(`callbacks that do not fit the standard: ${misfits().join('; ')}`)
      return told
    },
    close: (): Promise<void> =>
      new Promise((resolve) => {
        server.closeAllConnections()
        server.close(() => resolve())
      }),
  }
}
