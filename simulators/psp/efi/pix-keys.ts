import { type Bank, findMerchantByKey } from '../bank.ts'

/** Who is behind a Pix key, by CPF or CNPJ. */
export type KeyOwner = { name: string; document: string }

/** The owner of a key, as far as the simulated directory knows: its own merchants, and who tests have said. */
export const findKeyOwner = (bank: Bank, key: string): KeyOwner | undefined => {
  const merchant = findMerchantByKey(bank, key)
  if (merchant !== undefined) return { name: merchant.name, document: merchant.cnpj }
  return bank.store.one<KeyOwner>('SELECT name, document FROM pix_keys WHERE key = ?', key)
}

export const putKeyOwner = ({ store }: Bank, key: string, { name, document }: KeyOwner): void =>
  void store.run('INSERT OR REPLACE INTO pix_keys (key, name, document) VALUES (?, ?, ?)', key, name, document)
