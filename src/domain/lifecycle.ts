/** From each state, the states that may follow. */
export type Transitions<Status extends string> = Readonly<Record<Status, readonly Status[]>>

/** The states of a thing and the ways between them. */
export type Lifecycle<Status extends string> = {
  /** What the thing is called. */
  name: string
  /** Whether it may go from one state to another. Staying where it is is not a move. */
  allows(from: Status, to: Status): boolean
}

export const lifecycle = <Status extends string>(
  name: string,
  transitions: Transitions<Status>,
): Lifecycle<Status> => ({
  name,
  allows: (from, to) => transitions[from].includes(to),
})
