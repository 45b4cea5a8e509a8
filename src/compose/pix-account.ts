import { monotonicMs } from '../clock.ts'
import type { Job } from '../jobs/runs.ts'
import type { NotificationHandlers } from '../providers/notification-routing.ts'
import { createPixApi, type PixApi } from '../providers/pix/api/pix-api.ts'
import { certificateWarnings, createWatchCertificate } from '../providers/pix/certificate-warnings.ts'
import { createPixReader, type PixReader } from '../providers/pix/pix.callbacks.ts'
import { createPixProvider } from '../providers/pix/pix.provider.ts'
import { createReadInfractions } from '../providers/pix/read-infractions.ts'
import { createReadReceivedPix } from '../providers/pix/read-received-pix.ts'
import { createRegisterWebhook } from '../providers/pix/register-webhook.ts'
import type { PaymentProvider } from '../providers/provider.port.ts'
import type { Foundation } from './foundation.ts'

/** The account at a Pix PSP. */
export type PixAccount = {
  api: PixApi
  reader: PixReader
  provider: PaymentProvider
  findWarnings: () => string[]
}

/** Undefined where no Pix account is configured. Throws CertificateError on files that make no certificate. */
export const composePixAccount = ({ config, logger, wallClock: clock }: Foundation): PixAccount | undefined => {
  const { pix } = config.providers
  if (pix === undefined) return undefined
  const { refundsUnmatched: _refundsUnmatched, callbackSecret, key, ...account } = pix
  const api = createPixApi({ ...account, clock, logger, monotonicMs })
  const reader = createPixReader({ api, clock })
  return {
    api,
    reader,
    provider: createPixProvider({ name: pix.profile, api, reader, key, callbackSecret, clock, logger }),
    findWarnings: () => certificateWarnings(api, clock),
  }
}

type Dependencies = Foundation & { pixAccount: PixAccount | undefined; handlers: NotificationHandlers }

const NOTHING: Job = { runOnce: async () => 0 }

/** What is done beside requests for the Pix account; nothing where there is none. */
export const pixJobs = ({ pixAccount, ...dependencies }: Dependencies) => {
  const { config, publicAddress, wallClock, logger } = dependencies
  const { pix } = config.providers
  if (pixAccount === undefined || pix === undefined) {
    return {
      ...{ readReceivedPix: NOTHING, readInfractions: NOTHING },
      ...{ registerPixWebhook: NOTHING, watchPixCertificate: NOTHING },
    }
  }
  const { api, reader } = pixAccount
  const named = { ...dependencies, name: pix.profile, api, reader }
  const { key, callbackSecret } = pix
  return {
    readReceivedPix: createReadReceivedPix(named),
    readInfractions: api.infractions ? createReadInfractions(named) : NOTHING,
    watchPixCertificate: createWatchCertificate({ api, wallClock, logger }),
    registerPixWebhook: createRegisterWebhook({ ...named, key, callbackSecret, publicUrl: publicAddress.url }),
  }
}
