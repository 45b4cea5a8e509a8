const MARKUP = Symbol('markup')

/** Markup whose every value was escaped. Only `html` makes it, so that a plain text never counts as markup. */
export type Html = { readonly [MARKUP]: string }

type Value = string | number | boolean | null | undefined | Html | readonly Value[]

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

const escaped = (text: string): string => text.replace(/[&<>"']/g, (character) => ESCAPES[character] ?? '')

const isHtml = (value: object): value is Html => MARKUP in value

const written = (value: Value): string => {
  // What `condition && html…` leaves behind is nothing to be seen.
  if (value === null || value === undefined || typeof value === 'boolean') return ''
  if (typeof value === 'object') return isHtml(value) ? value[MARKUP] : value.map(written).join('')
  return escaped(String(value))
}

/**
 * Markup as a template literal. Every value in it is escaped, for texts and for quoted attributes alike; lists are
 * joined; null, undefined and booleans are nothing. Attributes must be quoted, and no value may stand in a script, a
 * style or, unless it was checked to be http(s), in a link.
 */
export const html = (parts: TemplateStringsArray, ...values: readonly Value[]): Html => ({
  [MARKUP]: parts.map((part, index) => (index === 0 ? part : written(values[index - 1]) + part)).join(''),
})

/** The text of a whole document or fragment, to be sent. */
export const toText = (markup: Html): string => markup[MARKUP]
