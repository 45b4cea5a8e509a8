import { isCnpj, isCpf } from '../../../src/domain/tax-id.ts'
import { type Bank, findMerchantByKey } from '../bank.ts'

/** Who is behind a Pix key, by CPF or CNPJ. */
export type KeyOwner = { name: string; document: string }

/**
 * The owner of a key, as far as the simulated directory knows: its own merchants, who tests have said, and who a CPF or CNPJ
 * names by itself.
 */
export const findKeyOwner = (bank: Bank, key: string): KeyOwner | undefined => {
  const merchant = findMerchantByKey(bank, key)
  if (merchant !== undefined) return { name: merchant.name, document: merchant.cnpj }
  const told = bank.store.one<KeyOwner>('SELECT name, document FROM pix_keys WHERE key = ?', key)
  return told ?? (isCpf(key) || isCnpj(key) ? { name: key, document: key } : undefined)
}

export const putKeyOwner = ({ store }: Bank, key: string, { name, document }: KeyOwner): void =>
  void store.run('INSERT OR REPLACE INTO pix_keys (key, name, document) VALUES (?, ?, ?)', key, name, document)
