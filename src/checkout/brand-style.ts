import { createHash } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import { type HexColor, type Scheme, shadesOf } from '../domain/brand-color.ts'

/** A style sheet, and the name that it has as long as it says this. */
type BrandStyle = { name: string; css: string }

const KEPT = 500
const HASH_LENGTH = 12

const rootOf = (color: HexColor, scheme: Scheme): string => {
  const { accent, accentSoft, fill, fillStrong, onFill } = shadesOf(color, scheme)
  const shades = { accent, 'accent-soft': accentSoft, fill, 'fill-strong': fillStrong, 'on-fill': onFill }
  const lines = Object.entries(shades).map(([name, shade]) => `--${name}:${shade}`)
  return `:root{${lines.join(';')}}`
}

const styles = new LRUCache<HexColor, BrandStyle>({ max: KEPT })

/** A seller's colour as a style sheet. It stands outside of the page's layer, so that it wins over the platform's. */
export const brandStyle = (color: HexColor): BrandStyle => {
  const known = styles.get(color)
  if (known) return known
  const css = `${rootOf(color, 'light')}\n@media (prefers-color-scheme:dark){${rootOf(color, 'dark')}}\n`
  const hash = createHash('sha256').update(css).digest('hex').slice(0, HASH_LENGTH)
  const style = { css, name: `${color.slice(1)}-${hash}.css` }
  styles.set(color, style)
  return style
}

/** Where pages in this colour find its style sheet: what it says never changes, so that it may be kept for ever. */
export const brandStyleUrl = (color: HexColor): string => `/pay/colors/${brandStyle(color).name}`

/** The style sheet of that name. Undefined: none has it, or none has it any more. */
export const findBrandStyle = (name: string): string | undefined => {
  const [, hex] = /^([0-9a-f]{6})-[0-9a-f]{12}\.css$/.exec(name) ?? []
  if (hex === undefined) return undefined
  const style = brandStyle(`#${hex}`)
  return style.name === name ? style.css : undefined
}
