/** How a client says who it is at the token endpoint, beside its certificate. */
export type ClientAuthentication = 'basic' | 'form' | 'id'

/** What differs between PSPs that speak the Central Bank's API. */
export type Profile = {
  /** What `PIX_API_URL` ends with: the part of the path before a resource's own, as the bank gives its base address. */
  basePath: string
  /** The address of a standard resource, such as `/cob/:txid`, below the base. */
  resourcePath: (resource: string) => string
  tokenPath: string
  clientAuthentication: ClientAuthentication
  scopes: readonly string[]
  /** Longest period of a list, in days, and the largest page that is served. */
  periodDaysMax: number
  pageSizeMax: number
  /** How an id that is taken is refused. */
  takenStatus: 400 | 409
  /** Whether registered webhooks can be listed. */
  listsWebhooks: boolean
  /** Efí's operations under `/gn`, and what it adds to standard answers. */
  efi: boolean
  /** The PSP's own number in the payment system (ISPB). */
  ispb: string
}

const STANDARD_SCOPES = [
  'cob.read',
  'cob.write',
  'cobv.read',
  'cobv.write',
  'pix.read',
  'pix.write',
  'webhook.read',
  'webhook.write',
  'payloadlocation.read',
  'payloadlocation.write',
] as const

const EFI_SCOPES = [
  'pix.send',
  'gn.pix.send.read',
  'gn.balance.read',
  'gn.infractions.read',
  'gn.infractions.write',
  'gn.reports.read',
  'gn.reports.write',
] as const

const COMMON = {
  resourcePath: (resource: string): string => resource,
  tokenPath: '/oauth/token',
  clientAuthentication: 'basic',
  scopes: STANDARD_SCOPES,
  periodDaysMax: 31,
  pageSizeMax: 1_000,
  takenStatus: 400,
  listsWebhooks: true,
  efi: false,
} as const

// A single charge has a version of its own at Sicredi; all else is v2.
const sicrediPath = (resource: string): string => (resource === '/cob/:txid' ? `/v3${resource}` : `/v2${resource}`)

/**
 * Addresses and log-ins as the banks publish them. Their bounds on lists are not published in one place: these are the
 * simulator's own, and tight, so that a client that does not page or split a period fails here.
 */
export const PROFILES = {
  efi: {
    ...COMMON,
    basePath: '',
    resourcePath: (resource) => `/v2${resource}`,
    scopes: [...STANDARD_SCOPES, ...EFI_SCOPES],
    takenStatus: 409,
    efi: true,
    ispb: '09089356',
  },
  inter: {
    ...COMMON,
    basePath: '/pix/v2',
    tokenPath: '/oauth/v2/token',
    clientAuthentication: 'form',
    pageSizeMax: 100,
    listsWebhooks: false,
    ispb: '00416968',
  },
  sicredi: { ...COMMON, basePath: '/api', resourcePath: sicrediPath, pageSizeMax: 100, ispb: '01181521' },
  sicoob: {
    ...COMMON,
    basePath: '/pix/api/v2',
    tokenPath: '/auth/realms/cooperado/protocol/openid-connect/token',
    clientAuthentication: 'id',
    periodDaysMax: 7,
    pageSizeMax: 100,
    ispb: '02038232',
  },
  bb: {
    ...COMMON,
    basePath: '/pix/v2',
    clientAuthentication: 'id',
    periodDaysMax: 5,
    pageSizeMax: 100,
    ispb: '00000000',
  },
  generic: { ...COMMON, basePath: '/api/v2', ispb: '99999999' },
} as const satisfies Record<string, Profile>

export type ProfileName = keyof typeof PROFILES

export const PROFILE_NAMES = Object.keys(PROFILES) as ProfileName[]
