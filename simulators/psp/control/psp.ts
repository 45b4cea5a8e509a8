import type { Server } from 'node:https'
import { z } from 'zod'
import { openAccounts } from '../accounts.ts'
import type { Bank } from '../bank.ts'
import type { Certificates } from '../certificates/folder.ts'
import type { Exchange } from '../exchanges.ts'
import { settingsChange } from '../settings.ts'
import { revokeTokens } from '../standard/tokens.ts'
import { about, type ControlServer } from './operation.ts'

type Dependencies = { bank: Bank; certificates: Certificates; apiServer: Server }

const requestsQuery = z.object({ operation: z.string().optional(), merchant: z.string().optional() })

const bodyOf = (payload: unknown): unknown => {
  if (typeof payload !== 'string') return payload
  try {
    return JSON.parse(payload)
  } catch {
    return payload
  }
}

const exchangeView = (exchange: Exchange): Exchange => ({ ...exchange, responseBody: bodyOf(exchange.responseBody) })

const settingsView = ({ settings }: Bank): Record<string, unknown> => {
  const { clockOffsetMs: _, ...shown } = settings.get()
  return shown
}

const reset = (bank: Bank): void => {
  bank.store.reset()
  bank.settings.reload()
  bank.faults.clear()
  bank.exchanges.clear()
  bank.callbacks.held.clear()
  openAccounts(bank)
  bank.schedule.arm()
}

/** The PSP as a whole: what was asked of it, how it behaves, and beginning anew. */
export const pspControls = (app: ControlServer, { bank, certificates, apiServer }: Dependencies): void => {
  app.get(
    '/control/requests',
    { ...about('the latest requests and answers: ?operation=&merchant='), schema: { querystring: requestsQuery } },
    async (request) => {
      const { operation, merchant: merchantId } = request.query
      return { requests: bank.exchanges.list({ operation, merchantId }).map(exchangeView) }
    },
  )

  app.delete('/control/requests', about('forgets them'), async (_request, reply) => {
    bank.exchanges.clear()
    return reply.code(204).send()
  })

  app.get('/control/settings', about('how the PSP behaves'), async () => settingsView(bank))

  app.patch(
    '/control/settings',
    {
      ...about('changes it: {refunds?, payouts?, repeatedCharge?, tokenSeconds?, …}'),
      schema: { body: settingsChange },
    },
    async (request) => {
      bank.settings.change(request.body)
      return settingsView(bank)
    },
  )

  app.post('/control/tokens/revoke', about('ends all access tokens'), async () => ({ revoked: revokeTokens(bank) }))

  app.put(
    '/control/server-certificate',
    {
      ...about('which certificate the API shows: {state: valid | expired}'),
      schema: { body: z.strictObject({ state: z.enum(['valid', 'expired']) }) },
    },
    async (request) => {
      const { state } = request.body
      const { key, certificate: cert } = state === 'valid' ? certificates.server : certificates.expiredServer
      apiServer.setSecureContext({ key, cert, ca: certificates.authority })
      // Connections that stand have seen the other one.
      apiServer.closeAllConnections()
      return { state }
    },
  )

  app.post('/control/reset', about('forgets everything that happened'), async (_request, reply) => {
    reset(bank)
    return reply.code(204).send()
  })
}
