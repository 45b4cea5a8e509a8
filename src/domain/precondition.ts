/**
 * What a change is conditional on: given the thing that is about to be changed as the API shows it, once nobody else can
 * change it, throws precondition.failed where it is no longer as the caller saw it.
 */
export type Precondition = (current: object) => void
