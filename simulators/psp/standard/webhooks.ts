import type { Bank } from '../bank.ts'
import { isoOf } from '../clock.ts'
import type { Page, Period } from '../http/paging.ts'
import { notFound } from '../http/problems.ts'
import { createFilter, type Listed } from '../store.ts'

/** Where a merchant wants to hear of what happens to one of its keys. */
export type Webhook = { key: string; merchant_id: string; url: string; created_at: number }

export const findWebhook = ({ store }: Bank, key: string): Webhook | undefined =>
  store.one<Webhook>('SELECT * FROM webhooks WHERE key = ?', key)

/** Throws `WebhookNaoEncontrado` where the merchant has none at this key. */
export const getWebhook = (bank: Bank, merchantId: string, key: string): Webhook => {
  const webhook = findWebhook(bank, key)
  if (webhook?.merchant_id === merchantId) return webhook
  throw notFound('WebhookNaoEncontrado', 'O webhook denotado por chave não encontra-se estabelecido.')
}

/** Registers an address, in place of the one before. */
export const putWebhook = ({ store, clock }: Bank, merchantId: string, key: string, url: string): void =>
  void store.run(
    'INSERT OR REPLACE INTO webhooks (key, merchant_id, url, created_at) VALUES (?, ?, ?, ?)',
    ...[key, merchantId, url, clock.now()],
  )

export const removeWebhook = ({ store }: Bank, { key }: Webhook): void =>
  void store.run('DELETE FROM webhooks WHERE key = ?', key)

export const listWebhooks = ({ store }: Bank, merchantId: string, period: Period, page: Page): Listed<Webhook> => {
  const filter = createFilter()
  filter.add('merchant_id = ?', merchantId)
  filter.add('created_at BETWEEN ? AND ?', period.from, period.to)
  return store.page<Webhook>('webhooks', filter, 'created_at DESC, key', page)
}

/** With the key, as the standard's example has it, and the CNPJ, which its schema demands instead. */
export const webhookView = (cnpj: string, { url, key, created_at }: Webhook): Record<string, unknown> => ({
  webhookUrl: url,
  chave: key,
  cnpj,
  criacao: isoOf(created_at),
})
