/** Raster images that every browser draws. None of them can hold a script, as SVG can. */
export const LOGO_CONTENT_TYPES = ['image/png', 'image/jpeg'] as const
export type LogoContentType = (typeof LOGO_CONTENT_TYPES)[number]

/** The largest file: 512 KiB. */
export const LOGO_BYTES_MAX = 512 * 1_024

/** Below it nothing can be recognised, above it a browser unpacks megabytes to draw a stamp. */
export const LOGO_PIXELS = { min: 32, max: 2_048 } as const

export type LogoSize = { width: number; height: number }

export const isLogoSize = ({ width, height }: LogoSize): boolean =>
  [width, height].every((pixels) => pixels >= LOGO_PIXELS.min && pixels <= LOGO_PIXELS.max)
