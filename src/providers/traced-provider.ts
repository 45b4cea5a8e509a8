import { isTracing, traced } from '../tracing.ts'
import type { PaymentProvider } from './provider.port.ts'

type Call = (...given: unknown[]) => unknown

const outcomeOf = (answer: unknown): string | undefined =>
  typeof answer === 'object' && answer !== null && 'outcome' in answer ? String(answer.outcome) : undefined

// Calls that wait for the provider are given a signal that ends them; the others only read or compose something.
const waits = (given: readonly unknown[]): boolean => given.at(-1) instanceof AbortSignal

const tracedCall =
  (name: string, provider: string, call: Call): Call =>
  (...given) => {
    if (!waits(given)) return call(...given)
    return traced({ name, kind: 'client', fields: { 'provider.name': provider } }, async (span) => {
      const answer = await call(...given)
      const outcome = outcomeOf(answer)
      if (outcome !== undefined) span?.note({ 'provider.outcome': outcome })
      return answer
    })
  }

const tracedCalls = <Calls extends object>(calls: Calls, path: string, provider: string): Calls =>
  new Proxy(calls, {
    get: (target, key) => {
      const value: unknown = Reflect.get(target, key)
      const name = `${path} ${String(key)}`
      if (typeof value === 'function') return tracedCall(name, provider, value.bind(target))
      return typeof value === 'object' && value !== null ? tracedCalls(value, name, provider) : value
    },
  })

/** A provider each of whose calls is a span of the trace that it is made in. The provider itself is not told of it. */
export const traceProvider = (provider: PaymentProvider): PaymentProvider =>
  isTracing() ? tracedCalls(provider, provider.name, provider.name) : provider
