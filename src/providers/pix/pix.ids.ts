/** What things of ours are called at the PSP, where an id is 1 to 35 letters and digits: our id without its hyphens. */
export const pixId = (id: string): string => id.replaceAll('-', '')

/** The payment that a txid is of; undefined where it is not one of ours. */
export const paymentIdOf = (txid: string): string | undefined => {
  const parts = /^([0-9a-f]{8})([0-9a-f]{4})(7[0-9a-f]{3})([89ab][0-9a-f]{3})([0-9a-f]{12})$/.exec(txid)
  return parts === null ? undefined : parts.slice(1).join('-')
}

/** Charges of requests that name themselves, by 32 of the 64 digits of the hash of that name. */
const NAMED = 'k'
export const namedTxid = (name: string): string => `${NAMED}${name.slice(0, 32)}`

/** Whether a txid has a shape that only we give. */
export const isOurTxid = (txid: string): boolean => paymentIdOf(txid) !== undefined || /^k[0-9a-f]{32}$/.test(txid)

/** Refunds of money that belongs to no payment. Their ids say so, because no refund of ours in the books is meant by them. */
const UNBOOKED = 'x'
export const unbookedRefundId = (id: string): string => `${UNBOOKED}${pixId(id)}`
export const isUnbookedRefund = (refundId: string): boolean => /^x[0-9a-f]{32}$/.test(refundId)
