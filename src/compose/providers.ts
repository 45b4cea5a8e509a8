import { type CallFailed, createProviderRegistry, guardProvider } from '../providers/provider.registry.ts'
import { createProviderHealth } from '../providers/provider-health.ts'
import { createSandboxProvider } from '../providers/sandbox/sandbox.provider.ts'
import { sandboxSecret } from '../providers/sandbox/sandbox.signature.ts'
import type { Ground } from './ground.ts'

/** The payment providers behind their port, each call with its deadline. */
export const composeProviders = ({ config, logger, wallClock, ...ground }: Ground) => {
  const providerHealth = createProviderHealth(wallClock)
  const noteFailedCall: CallFailed = ({ provider, error }) => {
    providerHealth.noteFailure()
    logger.warn({ provider, err: error }, 'a call of the payment provider failed')
  }
  const sandbox = createSandboxProvider({ ...ground, wallClock, secret: sandboxSecret(config.encryptionKey) })
  const providers = createProviderRegistry([guardProvider(sandbox, noteFailedCall)], config.provider)
  return { providers, providerHealth }
}
