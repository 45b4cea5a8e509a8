import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { contrast, GROUNDS, type HexColor, type Scheme, shadesOf } from '../../src/domain/brand-color.ts'

const STYLE = join(import.meta.dirname, '..', '..', 'src', 'checkout', 'assets', 'checkout.css')
const SCHEMES: readonly Scheme[] = ['light', 'dark']

const colors = fc.integer({ min: 0, max: 0xffffff }).map((value): HexColor => `#${value.toString(16).padStart(6, '0')}`)

// Of the page's text, as its style has it.
const TEXTS = { light: ['#13211b', '#52625a'], dark: ['#e9f0ec', '#a5b5ad'] } as const

test('contrast is that of WCAG', () => {
  expect(contrast('#000000', '#ffffff')).toBe(21)
  expect(contrast('#777777', '#ffffff')).toBeCloseTo(4.48, 2)
})

test('whatever colour is chosen, everything in it and on it can be read, on light and on dark pages', () => {
  fc.assert(
    fc.property(colors, fc.constantFrom(...SCHEMES), (color, scheme) => {
      const { fill, fillStrong, onFill, accent, accentSoft } = shadesOf(color, scheme)
      expect(fill).toBe(color)
      const pairs = [
        [onFill, fill],
        [onFill, fillStrong],
        ...[...GROUNDS[scheme], accentSoft].map((ground) => [accent, ground] as const),
        ...TEXTS[scheme].map((text) => [text, accentSoft] as const),
      ] as const
      for (const [text, ground] of pairs) expect(contrast(text, ground)).toBeGreaterThanOrEqual(4.5)
    }),
  )
})

test('a colour that can be read stays what it is', () => {
  expect(shadesOf('#0a6b4f', 'light').accent).toBe('#0a6b4f')
  expect(shadesOf('#62d4a8', 'dark').accent).toBe('#62d4a8')
})

test('the grounds are those of the pages', () => {
  const style = readFileSync(STYLE, 'utf8').replaceAll('#fff;', '#ffffff;')
  const valuesOf = (name: string) =>
    [...style.matchAll(new RegExp(`--${name}: (#\\w+);`, 'g'))].map(([, value]) => value)
  const [surface, page, raised] = ['surface', 'page', 'raised'].map(valuesOf)
  for (const [index, scheme] of SCHEMES.entries()) {
    expect(GROUNDS[scheme]).toEqual([surface?.[index], page?.[index], raised?.[index]])
  }
})
