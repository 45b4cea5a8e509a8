import { type KeyedHash, newSecret, sameHash } from '../../crypto/opaque-tokens.ts'

/** The cookie by which a browser that was logged in is known again at the next log-in. */
export const DEVICE_COOKIE = 'device'

/**
 * Marks of browsers that have been logged in: a random name and a keyed hash of it and the address, so that nothing is
 * kept here and no mark is good for another account (OWASP, "Slow Down Online Guessing Attacks with Device Cookies").
 */
export const createKnownDevices = (keyedHash: KeyedHash) => {
  const textOf = (email: string, name: string): string => `known device ${name} of ${email}`
  const markOf = (email: string, name: string): string => `${name}.${keyedHash.of(textOf(email, name))}`
  const isSeal = (seal: string, text: string): boolean =>
    [keyedHash.of(text), ...keyedHash.olderOf(text)].some((one) => sameHash(seal, one))

  return {
    /** The name of a known browser. Undefined: the mark is none, or was made for another account. */
    nameOf(email: string, mark: string | undefined): string | undefined {
      const [name = '', seal = '', ...rest] = (mark ?? '').split('.')
      return rest.length === 0 && name !== '' && isSeal(seal, textOf(email, name)) ? name : undefined
    },

    /** The mark for a browser that just logged in: the one that it has, or a new one. */
    mark: (email: string, known: string | undefined): string => markOf(email, known ?? newSecret()),
  }
}

export type KnownDevices = ReturnType<typeof createKnownDevices>
