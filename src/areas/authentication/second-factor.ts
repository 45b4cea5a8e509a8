import type { Clock } from '../../clock.ts'
import type { KeyedHash } from '../../crypto/opaque-tokens.ts'
import type { SecretBox } from '../../crypto/secret-box.ts'
import { findTotpStep, newRecoveryCode, newTotpSecret, totpStep } from '../../crypto/totp.ts'
import type { Actor } from '../../domain/actor.ts'
import type { Repositories } from '../../repositories.ts'

type Dependencies = {
  clock: Clock
  /** Phones show codes of real time, whatever the platform's clock says. */
  wallClock: Clock
  secretBox: SecretBox
  keyedHash: KeyedHash
  /** How many half minutes a code may be of before or after: each is one more code that a guess may meet. */
  driftSteps: number
}

/** What somebody shows beside the password: a code of their app, or one of those for a lost phone. */
export type Proof = { totpCode?: string | undefined; recoveryCode?: string | undefined }

/**
 * `none`: the account has no second factor. `required`: nothing was shown. `invalid`: wrong, or used before. `late`: the code
 * of the half minute before, which is refused as well, but no guess: whoever typed it has the phone.
 */
export type Verdict = 'none' | 'accepted' | 'required' | 'invalid' | 'late'

type Person = Pick<Actor, 'userId' | 'role' | 'sellerId'>

const RECOVERY_CODES = 10

const verdictOf = (isAccepted: boolean): Verdict => (isAccepted ? 'accepted' : 'invalid')

// As people write them down: small letters, and anything or nothing between the groups.
const plainCode = (code: string): string => code.toUpperCase().replace(/[\s-]/g, '')

/** The second factor of an account: a code of an authenticator app (RFC 6238), each good once. */
export const createSecondFactor = ({ clock, wallClock, secretBox, keyedHash, driftSteps }: Dependencies) => {
  const hashedText = (code: string): string => `totp recovery code ${plainCode(code)}`

  const look = (secretSealed: string, code: string): { step: number | undefined; isLate: boolean } => {
    const secret = Buffer.from(secretBox.open(secretSealed), 'base64url')
    const current = totpStep(wallClock.now())
    const step = findTotpStep(secret, code, { from: current - driftSteps, to: current + driftSteps })
    const isLate =
      step === undefined && findTotpStep(secret, code, { from: current - 1, to: current - 1 }) !== undefined
    return { step, isLate }
  }

  const spendRecoveryCode = async (tx: Repositories, person: Person, code: string): Promise<boolean> => {
    const { userId, role, sellerId } = person
    const text = hashedText(code)
    if (!(await tx.totp.spendRecoveryCode(userId, [keyedHash.of(text), ...keyedHash.olderOf(text)]))) return false
    const target = { targetType: 'user', targetId: userId, ...(role === 'seller' ? { sellerId } : {}) }
    const after = { recoveryCodesLeft: await tx.totp.countRecoveryCodes(userId) }
    await tx.audit.add({ actor: person, action: 'user.use_recovery_code', ...target, after }, clock.now())
    return true
  }

  const judge = async (tx: Repositories, person: Person, secretSealed: string, proof: Proof): Promise<Verdict> => {
    const { recoveryCode, totpCode = '' } = proof
    if (recoveryCode !== undefined) return verdictOf(await spendRecoveryCode(tx, person, recoveryCode))
    const { step, isLate } = look(secretSealed, totpCode)
    if (isLate) return 'late'
    return verdictOf(step !== undefined && (await tx.totp.spend(person.userId, step)))
  }

  return {
    /** A fresh secret, and how it is kept. */
    newSecret() {
      const secret = newTotpSecret()
      return { secret, secretSealed: secretBox.seal(secret.toString('base64url')) }
    },

    /** The step of a code of a secret that waits for its first one. */
    stepOf: (secretSealed: string, code: string): number | undefined => look(secretSealed, code).step,

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
      return judge(tx, person, secret.secretSealed, proof)
    },
  }
}

export type SecondFactor = ReturnType<typeof createSecondFactor>
