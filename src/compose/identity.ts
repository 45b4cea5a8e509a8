import { createActors } from '../areas/authentication/actors.ts'
import { createAuthenticationService } from '../areas/authentication/authentication.service.ts'
import { createLoginGuard } from '../areas/authentication/login-guard.ts'
import { createSecondFactor } from '../areas/authentication/second-factor.ts'
import { createSessions } from '../areas/authentication/sessions.ts'
import { createTotpService } from '../areas/authentication/totp.service.ts'
import { createIntegrationsService } from '../areas/integrations/integrations.service.ts'
import { createOpenAccount } from '../areas/users/open-account.ts'
import { createProveOwner } from '../areas/users/prove-owner.ts'
import { createUsersService } from '../areas/users/users.service.ts'
import { createKeyedHash } from '../crypto/opaque-tokens.ts'
import { createSecretBox } from '../crypto/secret-box.ts'
import type { Ground } from './ground.ts'

/** Who people and sellers' servers are, and how they get in. */
export const composeIdentity = ({ config, ...ground }: Ground) => {
  const { read, transact, newId, clock, wallClock } = ground
  const keyedHash = createKeyedHash(config.encryptionKey)
  const secretBox = createSecretBox(Buffer.from(config.encryptionKey))
  const guard = createLoginGuard({ read, transact, wallClock })
  const parts = {
    actors: createActors({ read, wallClock }),
    guard,
    sessions: createSessions({ newId, wallClock }),
    openAccount: createOpenAccount(newId),
    proveOwner: createProveOwner({ read, guard }),
    secondFactor: createSecondFactor({ clock, wallClock, secretBox, keyedHash }),
    keyedHash,
  }
  return {
    authentication: createAuthenticationService({ ...ground, ...parts }),
    totp: createTotpService({ ...ground, ...parts }),
    users: createUsersService({ ...ground, ...parts }),
    integrations: createIntegrationsService({ ...ground, ...parts }),
  }
}
