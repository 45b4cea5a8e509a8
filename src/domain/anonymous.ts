/** The name of a person who asked to be forgotten, wherever a record of theirs has to stay. */
export const ANONYMOUS_NAME = 'Anonimizado'
