import type { Caller } from './callback-caller.ts'
import type { CallbackState } from './callbacks.ts'
import type { Merchant } from './certificates/folder.ts'
import type { Clock } from './clock.ts'
import type { Exchanges } from './exchanges.ts'
import type { Faults } from './faults.ts'
import type { Profile } from './profiles.ts'
import type { Schedule } from './schedule.ts'
import type { Settings } from './settings.ts'
import type { Store } from './store.ts'

/** The simulated PSP: everything that its operations work on, handed to each as its first argument. */
export type Bank = {
  profile: Profile
  merchants: readonly Merchant[]
  store: Store
  settings: Settings
  clock: Clock
  schedule: Schedule
  faults: Faults
  exchanges: Exchanges
  callbacks: CallbackState
  caller: Caller
  /** The names of all operations, as routes bring them: what faults can be planted on. */
  operations: string[]
  /** Host and port at which payers' banks read charges. */
  publicHost: () => string
}

export const findMerchant = ({ merchants }: Pick<Bank, 'merchants'>, id: string): Merchant | undefined =>
  merchants.find((merchant) => merchant.id === id)

/** Whose account a Pix key pays into. */
export const findMerchantByKey = ({ merchants }: Bank, key: string): Merchant | undefined =>
  merchants.find(({ keys }) => keys.includes(key))
