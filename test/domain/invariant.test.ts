import { expect, test } from 'vitest'
import { InvariantError, invariant } from '../../src/domain/invariant.ts'

test('a fact that holds passes, one that does not throws an InvariantError with the message', () => {
  expect(() => invariant(true, 'never seen')).not.toThrow()
  expect(() => invariant(false, 'the book does not balance')).toThrow(new InvariantError('the book does not balance'))
  expect(() => invariant(undefined, 'nothing there')).toThrow(InvariantError)
})
