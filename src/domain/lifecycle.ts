/** A lifecycle as a table: from each state, the states that may follow. */
export type Transitions<Status extends string> = Readonly<Record<Status, readonly Status[]>>

/** Whether a table allows a move. Staying where one is is not a move. */
export const allows = <Status extends string>(transitions: Transitions<Status>, from: Status, to: Status): boolean =>
  transitions[from].includes(to)
