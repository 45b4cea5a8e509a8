import { expect, test } from 'vitest'
import { type Actor, hasScope, SCOPES } from '../../src/domain/actor.ts'

const actor = (scopes: Actor['scopes']): Actor => ({
  userId: 'ana',
  role: 'seller',
  accessRole: 'owner',
  sellerId: 'ana',
  sessionId: null,
  provedAt: new Date(),
  hasSecondFactor: false,
  hasMadeUpPassword: false,
  scopes,
})

test('a person may do everything, credentials what they were given', () => {
  for (const scope of SCOPES) {
    expect(hasScope(actor('all'), scope)).toBe(true)
    expect(hasScope(actor([]), scope)).toBe(false)
    expect(SCOPES.filter((other) => hasScope(actor([scope]), other))).toEqual([scope])
  }
})
