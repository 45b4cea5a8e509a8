/** A colour as `#rrggbb`, in lower case. */
export type HexColor = `#${string}`

export type Scheme = 'light' | 'dark'

/** What is drawn in a seller's colour, so that all of it can be read. */
export type Shades = {
  /** Behind the text of buttons: the colour as it was chosen. */
  fill: HexColor
  /** The same under a pointer. */
  fillStrong: HexColor
  /** Text on both. */
  onFill: HexColor
  /** Links, borders and marks on the grounds of the page: the colour, made darker or lighter as far as it has to be. */
  accent: HexColor
  /** A ground that says what is chosen. */
  accentSoft: HexColor
}

type Rgb = readonly [number, number, number]

/** WCAG 2.2, 1.4.3 (AA): the contrast of text with its ground. */
export const CONTRAST_MIN = 4.5

/** The grounds that pages have: the card first, which is mixed with the colour too. */
export const GROUNDS = {
  light: ['#ffffff', '#eef2f0', '#f5f8f6'],
  dark: ['#161e1a', '#0d1311', '#1d2722'],
} as const satisfies Readonly<Record<Scheme, readonly HexColor[]>>

const WHITE = '#ffffff'
const BLACK = '#000000'
const STEPS = 100
const SOFT_SHARE = 0.1
const STRONG_SHARE = 0.14

const rgbOf = (color: HexColor): Rgb => {
  const value = Number.parseInt(color.slice(1), 16)
  return [value >> 16, (value >> 8) & 255, value & 255]
}

const mix = (color: HexColor, other: HexColor, share: number): HexColor => {
  const [from, to] = [rgbOf(color), rgbOf(other)]
  const parts = from.map((part, index) => Math.round(part + ((to[index] ?? 0) - part) * share))
  return `#${parts.map((part) => part.toString(16).padStart(2, '0')).join('')}`
}

// WCAG 2.2, "relative luminance".
const luminance = (color: HexColor): number => {
  const [red, green, blue] = rgbOf(color).map((part) => {
    const share = part / 255
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
  }) as [number, number, number]
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

/** The contrast of two colours, from 1 to 21 (WCAG 2.2, "contrast ratio"). */
export const contrast = (one: HexColor, other: HexColor): number => {
  const [darker = 0, lighter = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b)
  return (lighter + 0.05) / (darker + 0.05)
}

const accentsOf = (color: HexColor, scheme: Scheme): Pick<Shades, 'accent' | 'accentSoft'> => {
  const grounds = GROUNDS[scheme]
  const [card] = grounds
  const towards = scheme === 'light' ? BLACK : WHITE
  for (let step = 0; ; step += 1) {
    const accent = mix(color, towards, step / STEPS)
    const accentSoft = mix(card, accent, SOFT_SHARE)
    // Black on light grounds and white on dark ones can be read: it ends there at the latest.
    const isReadable = [...grounds, accentSoft].every((ground) => contrast(accent, ground) >= CONTRAST_MIN)
    if (isReadable || step === STEPS) return { accent, accentSoft }
  }
}

/** The shades of a colour on light or on dark pages. Every text in or on them has a contrast of at least 4.5. */
export const shadesOf = (color: HexColor, scheme: Scheme): Shades => {
  // Of any colour one of the two has it: white where black has less than 4.67.
  const onFill = contrast(color, WHITE) >= CONTRAST_MIN ? WHITE : BLACK
  const fillStrong = mix(color, onFill === WHITE ? BLACK : WHITE, STRONG_SHARE)
  return { fill: color, fillStrong, onFill, ...accentsOf(color, scheme) }
}
