import type { EventEntries } from '../../events/event-catalogue.ts'
import type { EventType } from '../../events/event-types.ts'
import { credentialsResponse } from './integrations.schemas.ts'
import { credentialsView } from './integrations.view.ts'

const CREATED_AT = new Date('2026-11-19T18:20:31.702Z')
const ROTATED_AT = new Date('2026-11-22T09:14:03.220Z')

/** Every event of API credentials, as the code that sends it makes it. */
export const credentialsEvents: EventEntries<Extract<EventType, `credentials.${string}`>> = {
  'credentials.rotated': {
    description:
      'Somebody who logged in made a new secret of the API credentials, or ended the one before. If it was none of you, log in, rotate with `revokeNow` and change the password.',
    data: { name: 'CredentialsEventData', schema: credentialsResponse },
    example: credentialsView(
      {
        clientId: 'cli_5f1c2b7a9d3e4f60a1b2c3d4',
        id: '01939f3e-7777-7b1e-9d6a-3f5b8c2d1e00',
        sellerId: '01939f3e-0001-7b1e-9d6a-3f5b8c2d1e00',
        secretHash: null,
        secretLast4: '9XwQ',
        previousSecretHash: null,
        previousSecretValidUntil: new Date('2026-11-23T09:14:03.220Z'),
        scopes: ['payments:read', 'payments:write'],
        allowedIps: [],
        lastUsedAt: null,
        createdAt: CREATED_AT,
        updatedAt: ROTATED_AT,
      },
      ROTATED_AT,
    ),
    happenedAt: ROTATED_AT,
  },
}
