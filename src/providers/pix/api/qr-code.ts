/** The text that payers scan or paste ("copia e cola"). */
import { brCode } from '../../../domain/br-code.ts'

/** Who is shown on a code that we have to make ourselves. */
export type Merchant = { name: string; city: string }

const LOCATION = /^(?:https?:\/\/)?[\x21-\x7e]{1,77}$/

/**
 * The PSP's own text as it is; where it gives none, the dynamic code of the charge's location, which payers' banks read
 * like any other. Null where there is neither, or the location is longer than a code has room for.
 */
export const qrCodeOf = (copyPaste: string | null, location: string | null, merchant: Merchant): string | null => {
  if (copyPaste !== null && copyPaste !== '') return copyPaste
  if (location === null || !LOCATION.test(location)) return null
  return brCode({ merchantName: merchant.name, merchantCity: merchant.city, url: location })
}
