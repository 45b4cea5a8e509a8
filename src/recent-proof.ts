import { type Actor, hasProof } from './domain/actor.ts'
import { authErrors } from './errors.ts'

/** Throws auth.step_up_required for a person who has not shown who they are of late. */
export const refuseWithoutProof = (actor: Actor, now: Date): void => {
  if (!hasProof(actor, now)) throw authErrors.step_up_required()
}
