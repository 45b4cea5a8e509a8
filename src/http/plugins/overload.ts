import underPressure from '@fastify/under-pressure'
import type { FastifyInstance } from 'fastify'
import fastifyPlugin from 'fastify-plugin'
import { unavailable } from './errors.ts'

const EVENT_LOOP_DELAY_MAX_MS = 1_000
const SAMPLE_EVERY_MS = 1_000
const SUSTAINED_MS = 3_000

/**
 * Whether a condition that is noted whenever it is met has held for `sustainedMs` without a pause: one long
 * computation, or the start itself, is not an overload.
 */
export const createSustained = (sustainedMs: number, pauseMs: number) => {
  let beganAtMs = Number.NEGATIVE_INFINITY
  let notedAtMs = Number.NEGATIVE_INFINITY
  return (nowMs: number): boolean => {
    if (nowMs - notedAtMs > pauseMs) beganAtMs = nowMs
    notedAtMs = nowMs
    return nowMs - beganAtMs >= sustainedMs
  }
}

/** Sheds requests while the event loop is so far behind that answering more would only add to the queue. */
export const overloadPlugin = fastifyPlugin(async (app: FastifyInstance) => {
  const isSustained = createSustained(SUSTAINED_MS, 2 * SAMPLE_EVERY_MS)
  await app.register(underPressure, {
    maxEventLoopDelay: EVENT_LOOP_DELAY_MAX_MS,
    sampleInterval: SAMPLE_EVERY_MS,
    pressureHandler: async (request) => {
      // A probe that fails here would have a busy process killed, which helps nobody.
      const isProbe = request.routeOptions.config.rateLimit === 'none'
      if (isSustained(performance.now()) && !isProbe) throw unavailable()
    },
  })
})
