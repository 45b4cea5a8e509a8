/** A fact that our own code relies on does not hold: we are wrong, not the caller. */
export class InvariantError extends Error {
  override readonly name = 'InvariantError'
}

/** Asserts what the code relies on. Throws InvariantError. */
export function invariant(condition: unknown, message: string): asserts condition {
  if (!condition) throw new InvariantError(message)
}
