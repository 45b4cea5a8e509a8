import { createActors } from '../areas/authentication/actors.ts'
import { createAuthenticationService } from '../areas/authentication/authentication.service.ts'
import { createKnownDevices } from '../areas/authentication/known-devices.ts'
import { createLoginAudit } from '../areas/authentication/login-audit.ts'
import { createLoginGuard } from '../areas/authentication/login-guard.ts'
import { createNewDevices } from '../areas/authentication/new-devices.ts'
import { createRegistrationPace } from '../areas/authentication/registration-pace.ts'
import { createSecondFactor } from '../areas/authentication/second-factor.ts'
import { createSessions } from '../areas/authentication/sessions.ts'
import { createStepUp } from '../areas/authentication/step-up.ts'
import { createTotpService } from '../areas/authentication/totp.service.ts'
import { createUserSessionsService } from '../areas/authentication/user-sessions.service.ts'
import { createIntegrationsService } from '../areas/integrations/integrations.service.ts'
import { createEmailAddressesService } from '../areas/recovery/email-addresses.service.ts'
import { createLinks } from '../areas/recovery/links.ts'
import { createRecoveryService } from '../areas/recovery/recovery.service.ts'
import { createInvitationsService } from '../areas/team/invitations.service.ts'
import { createTeamService } from '../areas/team/team.service.ts'
import { createEndPeople } from '../areas/users/end-people.ts'
import { createMadeUpPasswords } from '../areas/users/made-up-passwords.ts'
import { createMembersService } from '../areas/users/members.service.ts'
import { createJoinAccount, createOpenAccount } from '../areas/users/open-account.ts'
import { createProveOwner } from '../areas/users/prove-owner.ts'
import { tellOfPassword } from '../areas/users/tell-of-password.ts'
import { createBlockUsers } from '../areas/users/users.block.ts'
import { createUsersService } from '../areas/users/users.service.ts'
import { createKeyedHash } from '../crypto/opaque-tokens.ts'
import { createBreachedPasswords } from '../outbound/breached-passwords.ts'
import type { Foundation } from './foundation.ts'

/** Who people and sellers' servers are, and how they get in. */
export const composeIdentity = ({ config, ...foundation }: Foundation) => {
  const { read, transact, newId, clock, wallClock } = foundation
  const keyedHash = createKeyedHash(config.encryptionKey, config.olderEncryptionKeys)
  const links = createLinks(wallClock)
  const guard = createLoginGuard({ read, transact, wallClock })
  const parts = {
    actors: createActors({ read, wallClock }),
    guard,
    knownDevices: createKnownDevices(keyedHash),
    newDevices: createNewDevices({ wallClock, keyedHash }),
    sessions: createSessions({ newId, wallClock, idleMs: config.people.sessionIdleMs }),
    openAccount: createOpenAccount(newId, links),
    joinAccount: createJoinAccount(newId),
    endPeople: createEndPeople({ wallClock }),
    registrationPace: createRegistrationPace(guard),
    links,
    proveOwner: createProveOwner({ read, guard }),
    secondFactor: createSecondFactor({ ...foundation, keyedHash, driftSteps: config.people.totpDriftSteps }),
    loginAudit: createLoginAudit({ clock }),
    breachedPasswords: createBreachedPasswords({ url: config.people.breachedPasswordsUrl, logger: foundation.logger }),
    madeUpPasswords: createMadeUpPasswords({ wallClock, expire: config.people.madeUpPasswordsExpire }),
    keyedHash,
  }
  return {
    authentication: createAuthenticationService({ ...foundation, ...parts }),
    stepUp: createStepUp({ ...foundation, ...parts }),
    userSessions: createUserSessionsService({ ...foundation, ...parts }),
    totp: createTotpService({ ...foundation, ...parts }),
    recovery: createRecoveryService({ ...foundation, ...parts, tellOfPassword }),
    emailAddresses: createEmailAddressesService({ ...foundation, ...parts }),
    users: createUsersService({ ...foundation, ...parts }),
    blockUsers: createBlockUsers({ ...foundation, ...parts }),
    members: createMembersService({ ...foundation, ...parts }),
    invitations: createInvitationsService({ ...foundation, ...parts }),
    team: createTeamService({ ...foundation, ...parts }),
    integrations: createIntegrationsService({ ...foundation, ...parts }),
    identityGauges: [parts.breachedPasswords.gauge],
  }
}
