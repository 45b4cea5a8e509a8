import type { Exchange } from '../../../simulators/psp/exchanges.ts'
import { PROFILES, type ProfileName } from '../../../simulators/psp/profiles.ts'
import { theStandard } from './client.ts'

/** An exchange's path as the standard writes it, without what the profile puts before it. */
const standardPath = (profile: ProfileName, { url }: Exchange): string => {
  const path = new URL(url, 'https://psp').pathname.replace(/\/$/, '')
  return path.slice(PROFILES[profile].basePath.length).replace(/^\/v[23](?=\/)/, '')
}

const isStandard = ({ operation }: Exchange): boolean =>
  operation !== undefined &&
  operation !== 'token' &&
  !operation.startsWith('gn.') &&
  operation !== 'loc.qrcode' &&
  !operation.startsWith('payload.')

/** What a fault answered, or kept back, is nothing that the standard describes. */
const isUndisturbed = ({ faultId, status }: Exchange): boolean => faultId === undefined && status !== undefined

/** What about exchanges is not as the standard has it. */
export const misfitsOf = (profile: ProfileName, exchanges: readonly Exchange[]): string[] =>
  exchanges
    .filter((exchange) => isStandard(exchange) && isUndisturbed(exchange))
    .flatMap((exchange) => {
      const { method, requestBody, status = 0, responseType: contentType = '', responseBody: body } = exchange
      const path = standardPath(profile, exchange)
      const fault = theStandard().judge({ method, path, requestBody, status, contentType, body })
      return fault === undefined ? [] : [`${method} ${path} ${status}: ${fault}`]
    })
