import type { Operation } from '../http/operation.ts'

/** An operation of Efí's own, as a route's config names it: `gn.pix.put`. */
export const efiOperation = (name: string, scope: string, type: string, thing: string): { operation: Operation } => ({
  operation: { name: `gn.${name}`, scope, invalid: { type, thing } },
})
