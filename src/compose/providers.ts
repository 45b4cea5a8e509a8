import { monotonicMs } from '../clock.ts'
import { type CircuitBreaker, createCircuitBreaker } from '../providers/circuit-breaker.ts'
import { type CallFailed, guardProvider } from '../providers/guarded-provider.ts'
import type { PaymentProvider } from '../providers/provider.port.ts'
import { createProviderRegistry } from '../providers/provider.registry.ts'
import { createProviderHealth } from '../providers/provider-health.ts'
import { createSandboxProvider } from '../providers/sandbox/sandbox.provider.ts'
import { sandboxSecret } from '../providers/sandbox/sandbox.signature.ts'
import { traceProvider } from '../providers/traced-provider.ts'
import type { GaugeSource } from '../telemetry/gauge.ts'
import { composeCardFields } from './card-fields.ts'
import type { Foundation } from './foundation.ts'
import type { PixAccount } from './pix-account.ts'

const restingGauge = (breakers: ReadonlyMap<string, CircuitBreaker>): GaugeSource => ({
  name: 'provider_away',
  help: 'Whether a payment provider is left alone because it does not answer: 1, or 0.',
  label: 'provider',
  read: () => Object.fromEntries([...breakers].map(([name, { restsForMs }]) => [name, restsForMs() > 0 ? 1 : 0])),
})

/** The payment providers behind their port, each call with its deadline. */
export const composeProviders = (foundation: Foundation, pixAccount: PixAccount | undefined) => {
  const { config, logger, wallClock, publicAddress } = foundation
  const breakers = new Map<string, CircuitBreaker>()
  const isAnyAway = (): boolean => [...breakers.values()].some(({ restsForMs }) => restsForMs() > 0)
  const findWarnings = () => pixAccount?.findWarnings() ?? []
  const providerHealth = createProviderHealth({ wallClock, isAnyAway, findWarnings })
  const onFailure: CallFailed = ({ provider, error }) => {
    providerHealth.noteFailure()
    logger.warn({ provider, err: error }, 'a call of the payment provider failed')
  }
  const guarded = (provider: PaymentProvider) => {
    const breaker = createCircuitBreaker(monotonicMs)
    breakers.set(provider.name, breaker)
    return guardProvider(traceProvider(provider), { onFailure, breaker })
  }
  const { sandbox, routes } = config.providers
  // While keys rotate, processes with the newer list take what those with the older one sign.
  const secrets = [config.encryptionKey, ...config.olderEncryptionKeys].map(sandboxSecret)
  const cardFields = composeCardFields(config, publicAddress)
  const all = sandbox.isAllowed ? [createSandboxProvider({ ...foundation, secrets, cardFields })] : []
  const providers = createProviderRegistry([...all, ...(pixAccount ? [pixAccount.provider] : [])].map(guarded), routes)
  return { providers, providerHealth, providerGauges: [restingGauge(breakers)], cardFields }
}
