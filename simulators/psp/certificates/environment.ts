import { join, resolve } from 'node:path'
import { PROFILES, type ProfileName } from '../profiles.ts'
import type { Merchant } from './folder.ts'

type Addresses = { profile: ProfileName; apiPort: number; folder: string }

/** The variables by which a program becomes a client of the simulator, as one of its merchants. */
export const environmentOf = (
  { id, clientId, clientSecret, keys, callbackSecret }: Merchant,
  { profile, apiPort, folder }: Addresses,
): Record<string, string> => {
  const { basePath, tokenPath } = PROFILES[profile]
  const origin = `https://localhost:${apiPort}`
  const file = (name: string): string => resolve(join(folder, name))
  return {
    PIX_PROVIDER: profile,
    PIX_API_URL: `${origin}${basePath}`,
    PIX_TOKEN_URL: `${origin}${tokenPath}`,
    PIX_CLIENT_ID: clientId,
    PIX_CLIENT_SECRET: clientSecret,
    PIX_CERTIFICATE_FILE: file(`${id}.pem`),
    PIX_CERTIFICATE_KEY_FILE: file(`${id}.key`),
    PIX_CA_FILE: file('ca.pem'),
    PIX_KEY: keys[0] ?? '',
    PIX_CALLBACK_SECRET: callbackSecret,
  }
}

const lines = (values: Record<string, string>): string[] =>
  Object.entries(values).map(([name, value]) => `${name}=${value}`)

/** The same as a text for an environment file, with the PKCS#12 way and the other merchants commented out. */
export const environmentText = (merchants: readonly Merchant[], addresses: Addresses): string => {
  const [first, ...others] = merchants
  if (first === undefined) return ''
  const pkcs12 = {
    PIX_CERTIFICATE_FILE: resolve(join(addresses.folder, `${first.id}.p12`)),
    PIX_CERTIFICATE_PASSWORD: first.certificatePassword,
  }
  return [
    `# ${first.id}: ${first.name}`,
    ...lines(environmentOf(first, addresses)),
    '# or, instead of PIX_CERTIFICATE_FILE and PIX_CERTIFICATE_KEY_FILE:',
    ...lines(pkcs12).map((line) => `# ${line}`),
    ...others.flatMap((merchant) => [
      '',
      `# ${merchant.id}: ${merchant.name}`,
      ...lines(environmentOf(merchant, addresses)).map((line) => `# ${line}`),
    ]),
    '',
  ].join('\n')
}
