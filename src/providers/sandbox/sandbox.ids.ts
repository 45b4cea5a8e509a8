import { randomBytes } from 'node:crypto'

/** The simulated acquirer names everything by our id without its dashes: a txid of 32 characters, as Pix wants it. */
export const sandboxReference = (id: string): string => id.replaceAll('-', '')

const ISPB = '00000000'

/** An end-to-end id as the Central Bank shapes it: E, ISPB, minute in UTC, eleven random characters. */
export const sandboxEndToEndId = (at: Date): string => {
  const minute = at.toISOString().replace(/\D/g, '').slice(0, 12)
  return `E${ISPB}${minute}${randomBytes(6).toString('hex').slice(0, 11)}`
}
