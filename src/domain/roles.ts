/** What a person may be in a seller's account. */
export const MEMBER_ROLES = ['owner', 'finance', 'developer', 'viewer'] as const
export type MemberRole = (typeof MEMBER_ROLES)[number]

/** What a person may be among the administrators. */
export const ADMIN_ROLES = ['owner', 'finance', 'risk', 'support', 'viewer'] as const
export type AdminRole = (typeof ADMIN_ROLES)[number]

export type AccessRole = MemberRole | AdminRole

/**
 * Who meets each requirement that a route may declare. Owners meet all of their side, and whoever has any role may look.
 * The one table of permissions: what a role may do follows from it and from what routes declare.
 */
export const ROLES_THAT_MEET = {
  'seller:owner': ['owner'],
  'seller:finance': ['owner', 'finance'],
  'seller:developer': ['owner', 'developer'],
  'seller:viewer': MEMBER_ROLES,
  'admin:owner': ['owner'],
  'admin:finance': ['owner', 'finance'],
  'admin:risk': ['owner', 'risk'],
  'admin:support': ['owner', 'support'],
  'admin:viewer': ADMIN_ROLES,
} as const satisfies Readonly<Record<string, readonly AccessRole[]>>

/** The least role that something needs. */
export type RoleNeeded = keyof typeof ROLES_THAT_MEET

const ROLES_OF = { seller: MEMBER_ROLES, admin: ADMIN_ROLES } as const
type Side = keyof typeof ROLES_OF

const sideOf = (needed: RoleNeeded): Side => (needed.startsWith('seller:') ? 'seller' : 'admin')

/** Whether somebody meets one of several requirements. */
export const meetsAny = (
  { role, accessRole }: { role: Side; accessRole: AccessRole },
  needed: readonly RoleNeeded[],
): boolean => needed.some((one) => sideOf(one) === role && ROLES_THAT_MEET[one].some((met) => met === accessRole))

/** The roles of one side that meet one of several requirements, in the order of their might. */
export const rolesMeeting = (side: Side, needed: readonly RoleNeeded[]): readonly AccessRole[] =>
  ROLES_OF[side].filter((accessRole) => meetsAny({ role: side, accessRole }, needed))

type Owner = { id: string; accessRole: AccessRole; blockedAt?: Date | null }

/**
 * Whether somebody is the only owner among people, those who are blocked left out. They must be locked, so that of two who
 * leave at once the second finds the first gone.
 */
export const isLastOwner = (people: readonly Owner[], id: string): boolean => {
  const owners = people.filter(({ accessRole, blockedAt }) => accessRole === 'owner' && blockedAt == null)
  return owners.length === 1 && owners[0]?.id === id
}
