import { z } from 'zod'
import type { Bank } from '../bank.ts'
import { type ApiServer, merchantOf } from '../http/operation.ts'
import { instant, pageOf, pageQuery, parametersOf, periodOf } from '../http/paging.ts'
import { invalid, type Problem, violation } from '../http/problems.ts'
import { probeWebhook } from './webhook-probe.ts'
import { getWebhook, listWebhooks, putWebhook, removeWebhook, webhookView } from './webhooks.ts'

const params = z.object({ chave: z.string().min(1).max(77) })
const body = z.strictObject({ webhookUrl: z.url({ protocol: /^https?$/ }).max(2_000) })
const listQuery = z.object({ inicio: instant.optional(), fim: instant.optional(), ...pageQuery })

const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/

const config = (name: string, scope: 'webhook.read' | 'webhook.write') => ({
  operation: {
    name: `webhook.${name}`,
    scope,
    invalid: {
      type: scope === 'webhook.read' ? 'WebhookConsultaInvalida' : 'WebhookOperacaoInvalida',
      thing: 'webhook',
    },
  },
})

const refusal = (property: string, razao: string): Problem =>
  invalid('WebhookOperacaoInvalida', [violation(property, razao)])

const judgeUrl = (url: string): void => {
  const { protocol, hostname } = new URL(url)
  if (protocol === 'https:' || LOOPBACK.test(hostname)) return
  throw refusal('webhook.webhookUrl', 'A URL do webhook deve usar o protocolo HTTPS.')
}

/** `PUT`, `GET` and `DELETE /webhook/{chave}`, and the list where the profile has one. */
export const webhookRoutes = (app: ApiServer, bank: Bank): void => {
  const path = bank.profile.basePath + bank.profile.resourcePath('/webhook')

  app.put(`${path}/:chave`, { config: config('put', 'webhook.write'), schema: { params, body } }, async (request) => {
    const merchant = merchantOf(request)
    const { chave } = request.params
    const { webhookUrl } = request.body
    if (!merchant.keys.includes(chave)) {
      throw refusal('chave', 'O parâmetro chave não corresponde a uma chave DICT pertencente a este usuário recebedor.')
    }
    judgeUrl(webhookUrl)
    const isWithoutTls = request.headers['x-skip-mtls-checking'] === 'true'
    const fault = bank.profile.efi ? await probeWebhook(bank, webhookUrl, isWithoutTls) : undefined
    if (fault !== undefined) throw refusal('webhook.webhookUrl', fault)
    putWebhook(bank, merchant.id, chave, webhookUrl)
    return { webhookUrl }
  })

  app.get(`${path}/:chave`, { config: config('get', 'webhook.read'), schema: { params } }, async (request) => {
    const { id, cnpj } = merchantOf(request)
    return webhookView(cnpj, getWebhook(bank, id, request.params.chave))
  })

  app.delete(
    `${path}/:chave`,
    { config: config('delete', 'webhook.write'), schema: { params } },
    async (request, reply) => {
      removeWebhook(bank, getWebhook(bank, merchantOf(request).id, request.params.chave))
      return reply.code(204).send()
    },
  )

  if (bank.profile.listsWebhooks) listRoute(app, bank, path)
}

const listRoute = (app: ApiServer, bank: Bank, path: string): void => {
  app.get(path, { config: config('list', 'webhook.read'), schema: { querystring: listQuery } }, async (request) => {
    const { query } = request
    const { id, cnpj } = merchantOf(request)
    const page = pageOf(query, bank.profile)
    // The standard leaves both ends open; a period without an end would be longer than any bound.
    const isBounded = query.inicio !== undefined && query.fim !== undefined
    const whole = { from: query.inicio ?? 0, to: query.fim ?? Number.MAX_SAFE_INTEGER }
    const bounded = { ...query, inicio: whole.from, fim: whole.to }
    const period = isBounded ? periodOf(bounded, bank.profile, 'WebhookConsultaInvalida') : whole
    const { rows, total } = listWebhooks(bank, id, period, page)
    const webhooks = rows.map((webhook) => webhookView(cnpj, webhook))
    return { parametros: parametersOf(query, page, total), webhooks }
  })
}
