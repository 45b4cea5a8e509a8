/** Which provider serves what, and the account at a Pix PSP: from variables that are each right to what holds together. */

import { z } from 'zod'
import { httpUrl, wholeNumber } from './value-types.ts'

/** Profiles of the Pix API, and the provider that only simulates. */
const PROVIDER_NAMES = ['sandbox', 'efi', 'inter', 'sicredi', 'sicoob', 'bb', 'generic'] as const
type ProviderName = (typeof PROVIDER_NAMES)[number]
export type PixProfileName = Exclude<ProviderName, 'sandbox'>

const SANDBOX = 'sandbox'
/** Whose account also pays out by its API. */
const PAYS_OUT: readonly string[] = [SANDBOX, 'efi'] satisfies readonly ProviderName[]

const ROUTES = {
  pix: 'PIX_PROVIDER',
  boleto: 'BOLETO_PROVIDER',
  credit_card: 'CARD_PROVIDER',
  payouts: 'PAYOUT_PROVIDER',
} as const
type Route = keyof typeof ROUTES

export const providerVariables = {
  PROVIDER: z.enum(PROVIDER_NAMES).optional(),
  PIX_PROVIDER: z.enum(PROVIDER_NAMES).optional(),
  BOLETO_PROVIDER: z.enum(PROVIDER_NAMES).optional(),
  CARD_PROVIDER: z.enum(PROVIDER_NAMES).optional(),
  PAYOUT_PROVIDER: z.enum(PROVIDER_NAMES).optional(),
  ALLOW_SANDBOX: z.enum(['true', 'false']).default('false'),
  PIX_API_URL: httpUrl.optional(),
  PIX_TOKEN_URL: httpUrl.optional(),
  PIX_CLIENT_ID: z.string().min(1).max(200).optional(),
  PIX_CLIENT_SECRET: z.string().min(1).max(1_000).optional(),
  PIX_CERTIFICATE_FILE: z.string().min(1).max(1_000).optional(),
  PIX_CERTIFICATE_KEY_FILE: z.string().min(1).max(1_000).optional(),
  PIX_CERTIFICATE_PASSWORD: z.string().min(1).max(1_000).optional(),
  PIX_CA_FILE: z.string().min(1).max(1_000).optional(),
  PIX_KEY: z
    .string()
    .regex(/^[\x21-\x7e]{1,77}$/, 'must be a Pix key')
    .optional(),
  PIX_CALLBACK_SECRET: z
    .string()
    .regex(/^[A-Za-z0-9_-]{32,200}$/, 'must have at least 32 letters, digits, - or _')
    .optional(),
  PIX_ACCOUNT_NUMBER: z.string().min(1).max(50).optional(),
  PIX_APPLICATION_KEY: z.string().min(1).max(200).optional(),
  PIX_MERCHANT_NAME: z.string().min(1).max(25).optional(),
  PIX_MERCHANT_CITY: z.string().min(1).max(15).optional(),
  PIX_CONNECTIONS_MAX: wholeNumber(1, 4_096).optional(),
  PIX_CALLS_PER_SECOND: wholeNumber(1, 100_000).optional(),
  PIX_REFUND_UNMATCHED: z.enum(['true', 'false']).default('false'),
}

type Variables = Readonly<z.output<z.ZodObject<typeof providerVariables>>>
type Named = Readonly<Partial<Pick<Variables, (typeof ROUTES)[Route] | 'PROVIDER'>>>

/** The account at a Pix PSP. */
export type PixAccountConfig = Readonly<{
  profile: PixProfileName
  /** Absent: the profile's own. */
  apiUrl: string | undefined
  tokenUrl: string | undefined
  clientId: string
  clientSecret: string | undefined
  certificate: Readonly<
    { file: string; keyFile: string; password: string | undefined } | { file: string; password: string }
  >
  caFile: string | undefined
  /** The platform's Pix key at the PSP. */
  key: string
  /** Part of the address that the PSP calls back. */
  callbackSecret: string
  accountNumber: string | undefined
  applicationKey: string | undefined
  merchant: Readonly<{ name: string; city: string }>
  /** In place of the client's and the profile's own bounds. */
  limits: Readonly<{ connectionsMax?: number }>
  budget: Readonly<{ perSecond?: number; burst?: number }>
  /** Whether money that belongs to no payment goes back to its payer by itself. */
  refundsUnmatched: boolean
}>

export type ProvidersConfig = Readonly<{
  /** The provider of each. Left out: nobody serves it. */
  routes: Readonly<Partial<Record<Route, ProviderName>>>
  /** Whether payments that the sandbox made may be worked on, and whether it serves anything new. */
  sandbox: Readonly<{ isAllowed: boolean; isRouted: boolean }>
  pix: PixAccountConfig | undefined
}>

const serves = (name: ProviderName, route: Route): boolean =>
  name === SANDBOX || route === 'pix' || (route === 'payouts' && PAYS_OUT.includes(name))

const isAnyNamed = (named: Readonly<Record<string, unknown>>): boolean =>
  ['PROVIDER', ...Object.values(ROUTES)].some((name) => named[name] !== undefined)

/** PROVIDER serves whatever it can. Without it, the Pix account also pays out where it can, and nobody serves the rest. */
const routeOf = (route: Route, named: Named, isProduction: boolean): ProviderName | undefined => {
  const own = named[ROUTES[route]]
  if (own !== undefined) return own
  if (!isAnyNamed(named)) return isProduction ? undefined : SANDBOX
  const fallback = named.PROVIDER ?? (route === 'payouts' ? named.PIX_PROVIDER : undefined)
  return fallback !== undefined && serves(fallback, route) ? fallback : undefined
}

const routesOf = (named: Named, isProduction: boolean): Partial<Record<Route, ProviderName>> =>
  Object.fromEntries(
    (Object.keys(ROUTES) as Route[]).flatMap((route) => {
      const name = routeOf(route, named, isProduction)
      return name === undefined ? [] : [[route, name]]
    }),
  )

/** What is said where nobody serves anything. */
export const missingProvider = (named: Readonly<Record<string, unknown>>, isProduction: boolean): string[] =>
  isProduction && !isAnyNamed(named) ? ['PROVIDER: must be set in production'] : []

const routeFaults = (named: Named): string[] =>
  (Object.keys(ROUTES) as Route[]).flatMap((route) => {
    const name = named[ROUTES[route]]
    return name === undefined || serves(name, route) ? [] : [`${ROUTES[route]}: ${name} does not serve this`]
  })

const REQUIRED = ['PIX_CLIENT_ID', 'PIX_CERTIFICATE_FILE', 'PIX_KEY', 'PIX_CALLBACK_SECRET'] as const
const NEEDS_SECRET: readonly string[] = ['efi', 'inter', 'sicredi', 'generic'] satisfies readonly ProviderName[]

const pixFaults = (variables: Variables, accounts: readonly ProviderName[]): string[] => {
  const [profile, ...others] = accounts
  if (profile === undefined) return []
  if (others.length > 0) return [`PIX_PROVIDER: ${accounts.join(' and ')} are two accounts, and PIX_… describe one`]
  const required: readonly (keyof Variables)[] = [
    ...REQUIRED,
    ...(NEEDS_SECRET.includes(profile) ? (['PIX_CLIENT_SECRET'] as const) : []),
    ...(profile === 'generic' ? (['PIX_API_URL', 'PIX_TOKEN_URL'] as const) : []),
  ]
  const missing = required.filter((name) => variables[name] === undefined)
  return missing.map((name) => `${name}: must be set for the provider ${profile}`)
}

const accountsOf = (routes: Partial<Record<Route, ProviderName>>): ProviderName[] => [
  ...new Set(Object.values(routes).filter((name) => name !== SANDBOX)),
]

const isSandboxRouted = (routes: Partial<Record<Route, ProviderName>>): boolean =>
  Object.values(routes).includes(SANDBOX)

/** What does not hold together, one line a fault. */
export const providerFaults = (variables: Variables, isProduction: boolean): string[] => {
  const routes = routesOf(variables, isProduction)
  const isRefused = isProduction && isSandboxRouted(routes) && variables.ALLOW_SANDBOX !== 'true'
  const misrouted = routeFaults(variables)
  return [
    ...missingProvider(variables, isProduction),
    ...(misrouted.length > 0 ? misrouted : pixFaults(variables, accountsOf(routes))),
    ...(isRefused
      ? ['ALLOW_SANDBOX: must be true where the sandbox serves in production, because any seller could pay himself']
      : []),
  ]
}

const certificateOf = (variables: Variables): PixAccountConfig['certificate'] => {
  const { PIX_CERTIFICATE_FILE: file = '', PIX_CERTIFICATE_KEY_FILE: keyFile } = variables
  const { PIX_CERTIFICATE_PASSWORD: password } = variables
  // PKCS#12 without a password, as Efí hands it out, has an empty one.
  return Object.freeze(keyFile === undefined ? { file, password: password ?? '' } : { file, keyFile, password })
}

const pixAccountOf = (variables: Variables, profile: PixProfileName): PixAccountConfig => {
  const { PIX_CONNECTIONS_MAX: connections, PIX_CALLS_PER_SECOND: calls } = variables
  return Object.freeze({
    profile,
    apiUrl: variables.PIX_API_URL,
    tokenUrl: variables.PIX_TOKEN_URL,
    clientId: variables.PIX_CLIENT_ID ?? '',
    clientSecret: variables.PIX_CLIENT_SECRET,
    certificate: certificateOf(variables),
    caFile: variables.PIX_CA_FILE,
    key: variables.PIX_KEY ?? '',
    callbackSecret: variables.PIX_CALLBACK_SECRET ?? '',
    accountNumber: variables.PIX_ACCOUNT_NUMBER,
    applicationKey: variables.PIX_APPLICATION_KEY,
    merchant: Object.freeze({
      name: variables.PIX_MERCHANT_NAME ?? 'Pagamentos',
      city: variables.PIX_MERCHANT_CITY ?? 'SAO PAULO',
    }),
    limits: connections === undefined ? {} : { connectionsMax: connections },
    budget: calls === undefined ? {} : { perSecond: calls, burst: calls },
    refundsUnmatched: variables.PIX_REFUND_UNMATCHED === 'true',
  })
}

/** Variables without faults as what they say. */
export const providersConfigOf = (variables: Variables, isProduction: boolean): ProvidersConfig => {
  const routes = routesOf(variables, isProduction)
  const [profile] = accountsOf(routes)
  const isRouted = isSandboxRouted(routes)
  return Object.freeze({
    routes: Object.freeze(routes),
    sandbox: Object.freeze({ isAllowed: isRouted || !isProduction, isRouted }),
    pix: profile === undefined || profile === SANDBOX ? undefined : pixAccountOf(variables, profile),
  })
}
