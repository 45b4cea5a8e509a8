import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject, sign, verify } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import type { PeriodProof } from './period-proof.ts'

/** A proof as it is handed over: what it says, who says so, and the public half of the key. */
export type SignedProof = { text: string; signature: Buffer; publicKey: string }

/** An Ed25519 key (PEM, PKCS#8) from a file, which is made where there is none. Throws a RangeError for another kind of key. */
export const readSigningKey = (file: string): KeyObject => {
  if (!existsSync(file)) {
    const { privateKey } = generateKeyPairSync('ed25519')
    // Of two processes that begin together one makes it, and the other fails loudly.
    writeFileSync(file, privateKey.export({ type: 'pkcs8', format: 'pem' }), { mode: 0o600, flag: 'wx' })
  }
  const key = createPrivateKey(readFileSync(file))
  if (key.asymmetricKeyType !== 'ed25519') throw new RangeError(`${file} has no Ed25519 key`)
  return key
}

/** Writes a proof down, always in the same bytes, and signs them (RFC 8032: the same bytes have the same signature). */
export const signProof = (proof: PeriodProof, key: KeyObject): SignedProof => {
  const text = `${JSON.stringify(proof, null, 2)}\n`
  const publicKey = createPublicKey(key).export({ type: 'spki', format: 'pem' }).toString()
  return { text, signature: sign(null, Buffer.from(text), key), publicKey }
}

/** Whether these bytes are what was signed. */
export const isSigned = ({ text, signature, publicKey }: SignedProof): boolean =>
  verify(null, Buffer.from(text), createPublicKey(publicKey), signature)
