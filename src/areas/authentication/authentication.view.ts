import type { FastifyRequest } from 'fastify'
import { ACCESS_TOKEN_SECONDS, type Grant, type OpenedFrom, type SignAccessToken } from './sessions.ts'

/** The tokens of a log-in, as the API hands them out. */
export const tokensView = ({ claims, refreshToken }: Grant, signAccessToken: SignAccessToken) => ({
  accessToken: signAccessToken(claims),
  refreshToken,
  tokenType: 'Bearer' as const,
  expiresIn: ACCESS_TOKEN_SECONDS,
})

const USER_AGENT_LENGTH_MAX = 300

/** Where and with what a request logs somebody in. */
export const openedFrom = ({ ip, headers }: FastifyRequest): OpenedFrom => ({
  ipAddress: ip,
  userAgent: headers['user-agent']?.slice(0, USER_AGENT_LENGTH_MAX) ?? null,
})
