import { QueueFullError } from '../db/coalesce.ts'
import type { Delivery } from './notification-routing.ts'
import { type CallbackCapability, type CallbackReading, UnreadableCallbackError } from './provider.port.ts'
import type { ProviderRegistry } from './provider.registry.ts'
import type { ProviderEvent } from './provider-events.repository.ts'

/** How many callbacks wait for answers of their providers at a time. What comes beyond waits in the database. */
const ASKED_MAX = 50

export type ReadEvent = Pick<ProviderEvent, 'id' | 'provider' | 'body'>

/** What a callback tells, or why nobody knows yet. `unreadable`: nobody ever will. */
export type Reading = { deliveries: Delivery[]; failure: null } | { deliveries?: never; failure: string }

/** Of one that was read by another process meanwhile. */
export const NOT_ASKED: Reading = { failure: 'provider_not_asked' }

/** Reads callbacks, at some providers by asking them: a promise only then. Throws QueueFullError where too many are asked. */
export const createCallbackReader = (providers: Pick<ProviderRegistry, 'find'>) => {
  let asked = 0

  const readingOf = (provider: string, read: CallbackReading): Reading => {
    if (read.outcome === 'unknown') return { failure: read.reason.slice(0, 200) }
    return { deliveries: read.notifications.map((notification) => ({ provider, notification })), failure: null }
  }

  const ask = async (provider: string, answer: Promise<CallbackReading>): Promise<Reading> => {
    asked += 1
    try {
      return readingOf(provider, await answer)
    } catch (error) {
      if (error instanceof UnreadableCallbackError) return { failure: 'unreadable' }
      throw error
    } finally {
      asked -= 1
    }
  }

  const read = (provider: string, callbacks: CallbackCapability, body: string): Reading | Promise<Reading> => {
    const answer = callbacks.read(body)
    return answer instanceof Promise ? ask(provider, answer) : readingOf(provider, answer)
  }

  return ({ provider: name, body }: ReadEvent): Reading | Promise<Reading> => {
    const callbacks = providers.find(name)?.callbacks
    if (callbacks === undefined) return { failure: 'provider_not_configured' }
    if (asked >= ASKED_MAX) throw new QueueFullError('too many callbacks wait for what their providers say')
    try {
      return read(name, callbacks, body)
    } catch (error) {
      if (error instanceof UnreadableCallbackError) return { failure: 'unreadable' }
      throw error
    }
  }
}
