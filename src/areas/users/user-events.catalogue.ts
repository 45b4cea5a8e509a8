import type { EventEntries } from '../../events/event-catalogue.ts'
import type { EventType } from '../../events/event-types.ts'
import { emailChangedResponse, passwordChangedResponse } from './users.schemas.ts'
import { emailChangedView, passwordChangedView } from './users.view.ts'

const CHANGED_AT = new Date('2026-11-22T09:14:03.220Z')

const user = { id: '01939f3e-2222-7b1e-9d6a-3f5b8c2d1e00', email: 'ana@example.com' }

/** Every event of how people of a seller's account log in, as the code that sends it makes it. */
export const userEvents: EventEntries<Extract<EventType, `user.${string}`>> = {
  'user.password_changed': {
    description:
      'Somebody of the account has a new password, by the old one or by a link in a mail. If they did not do it, end their sessions and have them recover it.',
    data: { name: 'PasswordChangedEventData', schema: passwordChangedResponse },
    example: passwordChangedView(user, CHANGED_AT),
    happenedAt: CHANGED_AT,
  },
  'user.email_changed': {
    description:
      'Somebody of the account logs in with another e-mail address from now on, which they have confirmed. If they did not do it, take them out of the team.',
    data: { name: 'EmailChangedEventData', schema: emailChangedResponse },
    example: emailChangedView(user, 'ana.lima@example.com', CHANGED_AT),
    happenedAt: CHANGED_AT,
  },
}
