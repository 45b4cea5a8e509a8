import { expect, test } from 'vitest'
import {
  ADMIN_ROLES,
  isLastOwner,
  MEMBER_ROLES,
  meetsAny,
  ROLES_THAT_MEET,
  type RoleNeeded,
  rolesMeeting,
} from '../../src/domain/roles.ts'

const NEEDED = Object.keys(ROLES_THAT_MEET) as RoleNeeded[]

test('an owner meets everything of their side and nothing of the other', () => {
  for (const side of ['seller', 'admin'] as const) {
    const met = NEEDED.filter((needed) => meetsAny({ role: side, accessRole: 'owner' }, [needed]))
    expect(met).toEqual(NEEDED.filter((needed) => needed.startsWith(`${side}:`)))
  }
})

test('every role of a side meets what needs a viewer, and itself', () => {
  expect(rolesMeeting('seller', ['seller:viewer'])).toEqual(MEMBER_ROLES)
  expect(rolesMeeting('admin', ['admin:viewer'])).toEqual(ADMIN_ROLES)
  for (const accessRole of MEMBER_ROLES) {
    expect(meetsAny({ role: 'seller', accessRole }, [`seller:${accessRole}`])).toBe(true)
  }
  for (const accessRole of ADMIN_ROLES) {
    expect(meetsAny({ role: 'admin', accessRole }, [`admin:${accessRole}`])).toBe(true)
  }
})

test('whoever meets one of several requirements meets them', () => {
  expect(rolesMeeting('seller', ['seller:finance', 'seller:developer'])).toEqual(['owner', 'finance', 'developer'])
  expect(rolesMeeting('seller', ['admin:viewer'])).toEqual([])
})

test('the last owner is the only one of their role', () => {
  const people = [
    { id: 'ana', accessRole: 'owner' as const },
    { id: 'bia', accessRole: 'finance' as const },
  ]
  expect(isLastOwner(people, 'ana')).toBe(true)
  expect(isLastOwner(people, 'bia')).toBe(false)
  expect(isLastOwner([...people, { id: 'caio', accessRole: 'owner' }], 'ana')).toBe(false)
})
