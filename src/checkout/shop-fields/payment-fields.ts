import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Language } from '../../domain/language.ts'

const SOURCE = readFileSync(join(import.meta.dirname, 'payment-fields.js'), 'utf8')
const PLACE = '__CARD_FIELDS_ADDRESSES__'

/** The script that a shop embeds, told where the provider's fields are. */
export const paymentFieldsScript = (addresses: Readonly<Record<Language, string>>): string =>
  SOURCE.replace(PLACE, () => JSON.stringify(addresses))
