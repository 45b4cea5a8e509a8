import ipaddr from 'ipaddr.js'
import type { Clock } from '../../clock.ts'
import type { KeyedHash } from '../../crypto/opaque-tokens.ts'
import { toTimestamp } from '../../domain/timestamp.ts'
import type { Repositories } from '../../repositories.ts'
import type { User } from '../users/users.repository.ts'
import { accountOf } from '../users/users.view.ts'
import type { OpenedFrom } from './sessions.ts'

type Dependencies = { wallClock: Clock; keyedHash: KeyedHash }

const USER_AGENT_LENGTH_MAX = 200
/** What stays the same while somebody's provider gives them other addresses. */
const SAME_BITS = { ipv4: 16, ipv6: 32 } as const

const prefixOf = (address: string): string => {
  if (!ipaddr.isValid(address)) return address
  const parsed = ipaddr.process(address)
  const bytes = parsed.toByteArray().slice(0, SAME_BITS[parsed.kind()] / 8)
  return `${parsed.kind()} ${bytes.join('.')}`
}

/** Tells people of log-ins from where they never logged in before: another program, or another part of the network. */
export const createNewDevices = ({ wallClock, keyedHash }: Dependencies) => ({
  /** Notes a log-in, in its transaction. `isKnown`: the browser has shown that it is one of before. */
  async note(
    tx: Pick<Repositories, 'loginDevices' | 'mails'>,
    user: Pick<User, 'id' | 'role' | 'sellerId'>,
    { ipAddress, userAgent }: OpenedFrom,
    isKnown: boolean,
  ): Promise<void> {
    const now = wallClock.now()
    const device = userAgent?.slice(0, USER_AGENT_LENGTH_MAX) ?? null
    const text = `log-in of ${user.id} with ${device} from ${prefixOf(ipAddress)}`
    const fingerprints = { newest: keyedHash.of(text), older: keyedHash.olderOf(text) }
    const { isNew, isFirst } = await tx.loginDevices.note(user.id, fingerprints, now)
    if (!isNew || isFirst || isKnown) return
    const data = { device, ipAddress, loggedInAt: toTimestamp(now) }
    await tx.mails.add([{ kind: 'new_device', ...accountOf(user), to: { userId: user.id }, data }])
  },
})

export type NewDevices = ReturnType<typeof createNewDevices>
