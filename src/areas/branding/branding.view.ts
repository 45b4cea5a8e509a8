import { type HexColor, type Scheme, shadesOf } from '../../domain/brand-color.ts'
import type { LogoSize } from '../../domain/logo.ts'
import { toTimestamp, toTimestampOrNull } from '../../domain/timestamp.ts'
import type { PublicAddress } from '../../public-address.ts'
import type { Branding, Logo } from './branding.repository.ts'

/** Where browsers find a logo, on this server. Each content has an address of its own. */
export const logoPath = (id: string): string => `/pay/logos/${id}`

/** Where anybody finds a logo. */
export type LogoUrl = (id: string) => string

export const createLogoUrl =
  (publicAddress: Pick<PublicAddress, 'url'>): LogoUrl =>
  (id) =>
    `${publicAddress.url()}${logoPath(id)}`

/** A logo as payers' browsers need it. */
export type ShownLogo = LogoSize & { url: string }

export const shownLogo = ({ id, width, height }: LogoSize & { id: string }, logoUrl: LogoUrl): ShownLogo => ({
  url: logoUrl(id),
  width,
  height,
})

const shadesView = (color: HexColor, scheme: Scheme) => {
  const { fill, onFill, accent } = shadesOf(color, scheme)
  return { button: fill, buttonText: onFill, accent }
}

const logoView = (logo: Logo, logoUrl: LogoUrl) => ({
  ...shownLogo(logo, logoUrl),
  contentType: logo.contentType,
  size: logo.sizeBytes,
  sha256: logo.sha256,
  createdAt: toTimestamp(logo.createdAt),
})

/** What a seller's payers see, as the API shows it. */
export const brandingView = (sellerId: string, { color, logo, updatedAt }: Branding, logoUrl: LogoUrl) => ({
  sellerId,
  color,
  shades: color === null ? null : { light: shadesView(color, 'light'), dark: shadesView(color, 'dark') },
  logo: logo === null ? null : logoView(logo, logoUrl),
  updatedAt: toTimestampOrNull(updatedAt),
})

export type BrandingView = ReturnType<typeof brandingView>

/** The same in short, beside other things of a seller. */
export const brandingSummaryView = ({ color, logo }: Pick<Branding, 'color' | 'logo'>, logoUrl: LogoUrl) => ({
  color,
  logoUrl: logo && logoUrl(logo.id),
})
