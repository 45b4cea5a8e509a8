import type { Clock } from '../../clock.ts'
import type { KeyedHash } from '../../crypto/opaque-tokens.ts'
import type { SecretBox } from '../../crypto/secret-box.ts'
import { findTotpStep, newRecoveryCode, newTotpSecret } from '../../crypto/totp.ts'
import type { Actor } from '../../domain/actor.ts'
import type { Repositories } from '../../repositories.ts'

type Dependencies = {
  clock: Clock
  /** Phones show codes of real time, whatever the platform's clock says. */
  wallClock: Clock
  secretBox: SecretBox
  keyedHash: KeyedHash
}

/** What somebody shows beside the password: a code of their app, or one of those for a lost phone. */
export type Proof = { totpCode?: string | undefined; recoveryCode?: string | undefined }

/** `none`: the account has no second factor. `required`: nothing was shown. `invalid`: wrong, or used before. */
export type Verdict = 'none' | 'accepted' | 'required' | 'invalid'

type Person = Pick<Actor, 'userId' | 'role' | 'sellerId'>

const RECOVERY_CODES = 10

// As people write them down: small letters, and anything or nothing between the groups.
const plainCode = (code: string): string => code.toUpperCase().replace(/[\s-]/g, '')

/** The second factor of an account: a code of an authenticator app (RFC 6238), each good once. */
export const createSecondFactor = ({ clock, wallClock, secretBox, keyedHash }: Dependencies) => {
  const hashedText = (code: string): string => `totp recovery code ${plainCode(code)}`

  const stepOf = (secretSealed: string, code: string): number | undefined =>
    findTotpStep(Buffer.from(secretBox.open(secretSealed), 'base64url'), code, wallClock.now())

  const spendRecoveryCode = async (tx: Repositories, person: Person, code: string): Promise<boolean> => {
    const { userId, role, sellerId } = person
    const text = hashedText(code)
    if (!(await tx.totp.spendRecoveryCode(userId, [keyedHash.of(text), ...keyedHash.olderOf(text)]))) return false
    const target = { targetType: 'user', targetId: userId, ...(role === 'seller' ? { sellerId } : {}) }
    const after = { recoveryCodesLeft: await tx.totp.countRecoveryCodes(userId) }
    await tx.audit.add({ actor: person, action: 'user.use_recovery_code', ...target, after }, clock.now())
    return true
  }

  const isAccepted = async (tx: Repositories, person: Person, secretSealed: string, proof: Proof): Promise<boolean> => {
    if (proof.recoveryCode !== undefined) return spendRecoveryCode(tx, person, proof.recoveryCode)
    const step = stepOf(secretSealed, proof.totpCode ?? '')
    return step !== undefined && (await tx.totp.spend(person.userId, step))
  }

  return {
    /** A fresh secret, and how it is kept. */
    newSecret() {
      const secret = newTotpSecret()
      return { secret, secretSealed: secretBox.seal(secret.toString('base64url')) }
    },

    /** The step of a code of a secret that waits for its first one. */
    stepOf,

    /** Fresh recovery codes, and how they are kept. */
    newRecoveryCodes() {
      const codes = Array.from({ length: RECOVERY_CODES }, newRecoveryCode)
      return { codes, codeHashes: codes.map((code) => keyedHash.of(hashedText(code))) }
    },

    /** Judges a proof and spends it, in the caller's transaction. Nothing is written unless it is accepted. */
    async check(tx: Repositories, person: Person, proof: Proof): Promise<Verdict> {
      const secret = await tx.totp.lockConfirmed(person.userId)
      if (secret === undefined) return 'none'
      if (proof.totpCode === undefined && proof.recoveryCode === undefined) return 'required'
      return (await isAccepted(tx, person, secret.secretSealed, proof)) ? 'accepted' : 'invalid'
    },
  }
}

export type SecondFactor = ReturnType<typeof createSecondFactor>
