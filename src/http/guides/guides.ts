import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Marked, type Tokens } from 'marked'

const FOLDER = join(import.meta.dirname, '..', '..', '..', 'docs', 'guides')

/** In the order in which a newcomer reads them. */
export const GUIDE_NAMES = [
  'first-payment',
  'cards',
  'payment-links',
  'webhooks',
  'reconciling',
  'errors',
  'sandbox',
  'going-live',
] as const

/** What a search finds: a part of a guide below one heading, as plain text. */
export type Section = { guide: string; title: string; url: string; text: string }

export type Guide = {
  name: string
  title: string
  /** Its first paragraph, as plain text. */
  summary: string
  /** Markup of our own making. */
  body: string
  sections: readonly Section[]
}

const slugOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '-')
    .replace(/^-|-$/g, '')

export const urlOfGuide = (name: string): string => `/docs/guides/${name}`

// Files refer to each other by their names, pages by their addresses.
const addressOf = (href: string): string => href.replace(/^([a-z-]+)\.md/, (_match, name: string) => urlOfGuide(name))

const LANGUAGES: Readonly<Record<string, string>> = { sh: 'curl', ts: 'TypeScript', python: 'Python' }

const ENTITIES: Readonly<Record<string, string>> = {
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&#39;': "'",
  '&amp;': '&',
}

/** What a reader sees of markup. */
const plain = (markup: string): string =>
  markup
    .replace(/<[^>]*>/g, ' ')
    .replace(/&(?:lt|gt|quot|amp|#39);/g, (entity) => ENTITIES[entity] ?? entity)
    .replace(/\s+/g, ' ')
    .trim()

const createMarked = () =>
  new Marked({
    renderer: {
      heading({ tokens, depth, text }: Tokens.Heading) {
        return `<h${depth} id="${slugOf(text)}">${this.parser.parseInline(tokens)}</h${depth}>\n`
      },
      code({ text, lang = '' }: Tokens.Code) {
        const code = text.replace(
          /[&<>]/g,
          (character) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;' })[character] ?? '',
        )
        return `<figure><figcaption>${LANGUAGES[lang] ?? lang}</figcaption><pre tabindex="0"><code>${code}</code></pre></figure>\n`
      },
      link({ href, tokens }: Tokens.Link) {
        return `<a href="${addressOf(href)}">${this.parser.parseInline(tokens)}</a>`
      },
      table(token: Tokens.Table) {
        const cells = (row: Tokens.TableCell[], tag: string): string =>
          row.map(({ tokens }) => `<${tag}>${this.parser.parseInline(tokens)}</${tag}>`).join('')
        const rows = token.rows.map((row) => `<tr>${cells(row, 'td')}</tr>`).join('\n')
        return `<div class="table" tabindex="0"><table><thead><tr>${cells(token.header, 'th')}</tr></thead><tbody>${rows}</tbody></table></div>\n`
      },
    },
  })

const sectionsOf = (name: string, title: string, body: string): Section[] =>
  body.split(/(?=<h[12] )/).map((part) => {
    const [, id = '', heading = ''] = /^<h[12] id="([^"]*)">(.*?)<\/h[12]>/.exec(part) ?? []
    return { guide: title, title: plain(heading), url: `${urlOfGuide(name)}#${id}`, text: plain(part) }
  })

const readGuide = (marked: Marked, name: string): Guide => {
  const body = marked.parse(readFileSync(join(FOLDER, `${name}.md`), 'utf8'), { async: false })
  const [, title = name] = /<h1[^>]*>(.*?)<\/h1>/.exec(body) ?? []
  const [, summary = ''] = /<p>([\s\S]*?)<\/p>/.exec(body) ?? []
  return { name, title: plain(title), summary: plain(summary), body, sections: sectionsOf(name, plain(title), body) }
}

/** The guides of docs/guides, in their order, as markup. */
export const readGuides = (): Guide[] => {
  const marked = createMarked()
  return GUIDE_NAMES.map((name) => readGuide(marked, name))
}
