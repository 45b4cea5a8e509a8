import { createActors } from '../areas/authentication/actors.ts'
import { createAuthenticationService } from '../areas/authentication/authentication.service.ts'
import { createLoginGuard } from '../areas/authentication/login-guard.ts'
import { createSessions } from '../areas/authentication/sessions.ts'
import { createIntegrationsService } from '../areas/integrations/integrations.service.ts'
import { createOpenAccount } from '../areas/users/open-account.ts'
import { createUsersService } from '../areas/users/users.service.ts'
import { createKeyedHash } from '../crypto/opaque-tokens.ts'
import type { Ground } from './ground.ts'

/** Who people and sellers' servers are, and how they get in. */
export const composeIdentity = ({ config, ...ground }: Ground) => {
  const { read, transact, newId, wallClock } = ground
  const parts = {
    actors: createActors({ read, wallClock }),
    guard: createLoginGuard({ read, transact, wallClock }),
    sessions: createSessions({ newId, wallClock }),
    openAccount: createOpenAccount(newId),
    keyedHash: createKeyedHash(config.encryptionKey),
  }
  return {
    authentication: createAuthenticationService({ ...ground, ...parts }),
    users: createUsersService({ ...ground, ...parts }),
    integrations: createIntegrationsService({ ...ground, ...parts }),
  }
}
