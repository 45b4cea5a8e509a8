import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'

const VERSION = 'v1'
const ALGORITHM = 'aes-256-gcm'
const KEY_BYTES = 32
const NONCE_BYTES = 12
const TAG_BYTES = 16
const KEY_PURPOSE = 'payment-platform/secret-box/v1'

/** The sealed text is damaged, of another version, or was sealed with another key. Says nothing about its content. */
export class SecretBoxError extends Error {
  override readonly name = 'SecretBoxError'
}

export type SecretBox = {
  /** Encrypts under the newest key; two seals of one text differ. */
  seal(plain: string): string
  /** Opens what any of the keys sealed. @throws {SecretBoxError} */
  open(sealed: string): string
  /** Whether the newest key sealed it. False also for what cannot be opened. */
  isNewest(sealed: string): boolean
}

const versionBytes = Buffer.from(VERSION)

const createOneKeyBox = (configuredKey: Buffer) => {
  if (configuredKey.length < KEY_BYTES) throw new RangeError(`a secret box needs a key of ${KEY_BYTES} bytes or more`)
  const key = Buffer.from(hkdfSync('sha256', configuredKey, '', KEY_PURPOSE, KEY_BYTES))

  return {
    encrypt: (plain: string): Buffer => {
      const nonce = randomBytes(NONCE_BYTES)
      const cipher = createCipheriv(ALGORITHM, key, nonce, { authTagLength: TAG_BYTES })
      cipher.setAAD(versionBytes)
      const ciphertext = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final()])
      return Buffer.concat([nonce, ciphertext, cipher.getAuthTag()])
    },
    /** Throws for what another key encrypted. */
    decrypt: (bytes: Buffer): string => {
      const decipher = createDecipheriv(ALGORITHM, key, bytes.subarray(0, NONCE_BYTES), { authTagLength: TAG_BYTES })
      decipher.setAAD(versionBytes)
      decipher.setAuthTag(bytes.subarray(-TAG_BYTES))
      const plain = decipher.update(bytes.subarray(NONCE_BYTES, -TAG_BYTES))
      return Buffer.concat([plain, decipher.final()]).toString('utf8')
    },
  }
}

const bytesOf = (sealed: string): Buffer => {
  const [version, text = '', ...rest] = sealed.split('.')
  const bytes = Buffer.from(text, 'base64url')
  if (version !== VERSION || rest.length > 0 || bytes.length < NONCE_BYTES + TAG_BYTES) {
    throw new SecretBoxError('the sealed text is not of a form that this version writes')
  }
  return bytes
}

/**
 * Keeps secrets encrypted at rest: AES-256-GCM under a key that HKDF-SHA256 derives from the configured one, so that
 * the same configured secret can serve other purposes beside this. Sealed text is `v1.` and base64url of nonce,
 * ciphertext and tag; which of several keys it was sealed under is told by the tag.
 * @throws {RangeError} when a configured key is shorter than 32 bytes
 */
export const createSecretBox = (configuredKey: Buffer, older: readonly Buffer[] = []): SecretBox => {
  const newest = createOneKeyBox(configuredKey)
  const boxes = [newest, ...older.map(createOneKeyBox)]

  const openWith = (which: typeof boxes, sealed: string): string => {
    const bytes = bytesOf(sealed)
    let cause: unknown
    for (const box of which) {
      try {
        return box.decrypt(bytes)
      } catch (error) {
        cause = error
      }
    }
    throw new SecretBoxError('the sealed text cannot be opened with this key', { cause })
  }

  return {
    seal: (plain) => `${VERSION}.${newest.encrypt(plain).toString('base64url')}`,
    open: (sealed) => openWith(boxes, sealed),
    isNewest: (sealed) => {
      try {
        openWith([newest], sealed)
        return true
      } catch {
        return false
      }
    },
  }
}
