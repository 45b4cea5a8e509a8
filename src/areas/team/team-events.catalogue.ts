import type { EventEntries } from '../../events/event-catalogue.ts'
import type { EventType } from '../../events/event-types.ts'
import { teamEventResponse } from './team.schemas.ts'
import { invitedEventView, memberEventView } from './team.view.ts'

const INVITED_AT = new Date('2026-11-20T13:05:44.101Z')
const JOINED_AT = new Date('2026-11-21T10:31:02.770Z')
const REMOVED_AT = new Date('2026-11-22T09:14:03.220Z')

const email = 'joao@example.com'
const invitation = { id: '01939f3e-4444-7b1e-9d6a-3f5b8c2d1e00', email, accessRole: 'finance' as const }
const member = { id: '01939f3e-5555-7b1e-9d6a-3f5b8c2d1e00', email, accessRole: 'finance' as const }
const data = { name: 'TeamEventData', schema: teamEventResponse }

/** Every event of who works for a seller, as the code that sends it makes it. */
export const teamEvents: EventEntries<Extract<EventType, `team.${string}`>> = {
  'team.invited': {
    description: 'An owner has invited somebody to the team, who has seven days to accept.',
    data,
    example: invitedEventView(invitation),
    happenedAt: INVITED_AT,
  },
  'team.joined': {
    description: 'Somebody who was invited has accepted: they may log in, and have an id of their own.',
    data,
    example: memberEventView(member),
    happenedAt: JOINED_AT,
  },
  'team.removed': {
    description:
      'Somebody is of the team no more and logged out, or an invitation that nobody had accepted was withdrawn (`status` `invited`).',
    data,
    example: memberEventView(member),
    happenedAt: REMOVED_AT,
  },
}
