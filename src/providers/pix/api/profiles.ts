/**
 * What differs between PSPs that speak the Central Bank's API (2.9.0): data alone. Addresses, client authentication and
 * oddities are those of clients that are in use: `pypix-api` 0.14 for Inter, Sicredi, Sicoob and Banco do Brasil
 * (`pypix_api/banks`, `pypix_api/scopes`), Efí's own `efipay` 1.0 and `sdk-node-apis-efi` 1.4 with its documentation
 * (dev.efipay.com.br/docs/api-pix) for Efí.
 */

/** How we say who we are at the token endpoint, beside our certificate. */
export type ClientAuthentication = 'basic' | 'form' | 'id'

/** What an account at a PSP may be able to do. */
export type Capability =
  | 'charges'
  | 'dueCharges'
  | 'pix'
  | 'webhooks'
  | 'payouts'
  | 'infractions'
  | 'balance'
  | 'reports'

/** Calls that a PSP takes. Without `perSecond`, only work in the background is held back before the PSP says 429. */
export type BudgetLimits = {
  perSecond: number | null
  /** How many may come at once after a quiet time. */
  burst: number
  /** What pollers and other work that nobody waits for may use. */
  backgroundPerSecond: number
}

export type Profile = {
  /** The part before a resource's own path. Null: must be configured. */
  apiUrl: string | null
  tokenUrl: string | null
  /** Where a standard resource, such as `/cob/{txid}`, lies below `apiUrl`. */
  pathOf: (resource: string) => string
  clientAuthentication: ClientAuthentication
  tokenBody: 'form' | 'json'
  /** Whether a token is asked for some scopes. Otherwise it has all that the account's owner chose at the PSP. */
  asksScopes: boolean
  /** The scopes of each thing that the PSP can do. What is not here it cannot. */
  scopes: Readonly<Partial<Record<Capability, readonly string[]>>>
  /** Sends our client id with every call, for the PSP's gateway. */
  sendsClientId: boolean
  /** The header that names the account, where one log-in reaches several. */
  accountHeader: string | null
  /** The query parameter that names the application to the PSP's gateway. */
  applicationKeyParameter: string | null
  /** How the list of received Pix names its filter by txid. */
  txidFilter: 'txid' | 'txId'
  /** Whether callbacks to an address without mutual TLS can be asked for, by `x-skip-mtls-checking`. */
  skipsMtlsChecking: boolean
  /** Longest period of one list. */
  periodDaysMax: number
  /** The page that is asked for. What is served may be smaller. */
  pageSize: number
  budget: BudgetLimits
}

const STANDARD_SCOPES = {
  charges: ['cob.read', 'cob.write'],
  dueCharges: ['cobv.read', 'cobv.write'],
  pix: ['pix.read', 'pix.write'],
  webhooks: ['webhook.read', 'webhook.write'],
} as const

const EFI_SCOPES = {
  payouts: ['pix.send', 'gn.pix.send.read'],
  infractions: ['gn.infractions.read', 'gn.infractions.write'],
  balance: ['gn.balance.read'],
  reports: ['gn.reports.read', 'gn.reports.write'],
} as const

const STANDARD = {
  pathOf: (resource: string): string => resource,
  clientAuthentication: 'basic',
  tokenBody: 'form',
  asksScopes: true,
  scopes: STANDARD_SCOPES,
  sendsClientId: false,
  accountHeader: null,
  applicationKeyParameter: null,
  txidFilter: 'txid',
  skipsMtlsChecking: false,
  // Banks publish their bounds in no one place. Five days and a hundred fit all of which bounds are known.
  periodDaysMax: 5,
  pageSize: 100,
  budget: { perSecond: null, burst: 100, backgroundPerSecond: 10 },
} as const

// A single immediate charge has a version of its own at Sicredi; all else that is used here is v2 (banks/sicredi.py).
const sicrediPath = (resource: string): string =>
  /^\/cob\/[^/]+$/.test(resource) ? `/v3${resource}` : `/v2${resource}`

export const PROFILES = {
  efi: {
    ...STANDARD,
    apiUrl: 'https://pix.api.efipay.com.br',
    tokenUrl: 'https://pix.api.efipay.com.br/oauth/token',
    // Versions differ by resource, so that Efí's base address has none: payouts are in v3 (efipay/constants.py).
    pathOf: (resource) => `/v2${resource}`,
    // Efí's clients send JSON with the grant alone; the scopes are chosen in the account (efipay/endpoints.py).
    tokenBody: 'json',
    asksScopes: false,
    scopes: { ...STANDARD_SCOPES, ...EFI_SCOPES },
    skipsMtlsChecking: true,
    periodDaysMax: 31,
    // Efí's "limites de consumo": 500 a second for each address that is written to.
    budget: { perSecond: 500, burst: 500, backgroundPerSecond: 50 },
  },
  inter: {
    ...STANDARD,
    apiUrl: 'https://cdpj.partners.bancointer.com.br/pix/v2',
    tokenUrl: 'https://cdpj.partners.bancointer.com.br/oauth/v2/token',
    // Id and secret in the form (auth/oauth2.py, `client_auth='body'`).
    clientAuthentication: 'form',
    // Written so in Inter's description alone (banks/inter.py, PARAM_TXID_CONSULTA_PIX).
    txidFilter: 'txId',
    // Needed where the log-in reaches more than one account (banks/inter.py, `conta_corrente`).
    accountHeader: 'x-conta-corrente',
  },
  sicredi: {
    ...STANDARD,
    apiUrl: 'https://api-pix.sicredi.com.br/api',
    tokenUrl: 'https://api-pix.sicredi.com.br/oauth/token',
    pathOf: sicrediPath,
  },
  sicoob: {
    ...STANDARD,
    apiUrl: 'https://api.sicoob.com.br/pix/api/v2',
    tokenUrl: 'https://auth.sicoob.com.br/auth/realms/cooperado/protocol/openid-connect/token',
    // The certificate is the secret: the form has the id alone (auth/oauth2.py).
    clientAuthentication: 'id',
    // Its gateway tells applications apart by a header (banks/base.py, `_create_headers`).
    sendsClientId: true,
  },
  bb: {
    ...STANDARD,
    apiUrl: 'https://api-pix.bb.com.br/pix/v2',
    tokenUrl: 'https://oauth.bb.com.br/oauth/token',
    clientAuthentication: 'id',
    // The bank's gateway asks most applications for the key that its developers' portal gives them.
    applicationKeyParameter: 'gw-dev-app-key',
  },
  generic: { ...STANDARD, apiUrl: null, tokenUrl: null },
} as const satisfies Record<string, Profile>

export type ProfileName = keyof typeof PROFILES

export const PROFILE_NAMES = Object.keys(PROFILES) as ProfileName[]
