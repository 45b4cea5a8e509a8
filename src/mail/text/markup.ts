import { type Html, html, toText } from '../../html.ts'
import type { Block } from './blocks.ts'
import type { Frame } from './frame.ts'
import type { Letter } from './template.ts'

// Mail programs know little of CSS and some take <style> away, so that each element carries its own. Nothing is loaded from
// elsewhere, and nothing is wider than what it stands in.

const paragraphs = (text: string): Html =>
  html`<p style="margin:0 0 16px;font-size:16px;line-height:24px;overflow-wrap:anywhere">${text}</p>`

const factLine = ([label, value]: readonly [string, string]): Html => html`
<p style="margin:0 0 12px;font-size:16px;line-height:22px;overflow-wrap:anywhere"><span style="display:block;font-size:13px;line-height:18px;color:#5b6472">${label}</span>${value}</p>`

const written = (block: Block): Html => {
  if (block.kind === 'paragraph') return paragraphs(block.text)
  if (block.kind === 'facts') {
    if (block.facts.length === 0) return html``
    return html`<div style="margin:0 0 16px;padding:16px 16px 4px;background:#f2f4f7;border-radius:8px">${block.facts.map(factLine)}
</div>`
  }
  return html`<p style="margin:8px 0 24px"><a href="${block.url}" style="display:inline-block;padding:12px 20px;border-radius:8px;background:#0b5fff;color:#ffffff;font-size:16px;line-height:24px;font-weight:600;text-decoration:none">${block.label}</a></p>`
}

const footerLine = (text: string): Html =>
  html`<p style="margin:0 0 8px;font-size:13px;line-height:19px;color:#5b6472;overflow-wrap:anywhere">${text}</p>
`

/** A mail as a document of markup. */
export const markup = ({ subject, body }: Letter, { languageTag, brand, greeting, footer }: Frame): string =>
  toText(html`<!doctype html>
<html lang="${languageTag}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light">
<meta name="format-detection" content="telephone=no">
<title>${subject}</title>
</head>
<body style="margin:0;padding:0;background:#e9ecf1;color:#1a1f27;font-family:-apple-system,BlinkMacSystemFont,'Segoe UI',Roboto,Arial,sans-serif">
<div style="max-width:560px;margin:0 auto;padding:24px 12px">
<p style="margin:0 0 12px;padding:0 4px;font-size:14px;line-height:20px;font-weight:600;color:#3a424f;overflow-wrap:anywhere">${brand}</p>
<div style="padding:24px 20px 8px;background:#ffffff;border-radius:12px">
<h1 style="margin:0 0 16px;font-size:21px;line-height:28px;overflow-wrap:anywhere">${subject}</h1>
${greeting !== undefined && paragraphs(greeting)}
${body.map((block) => html`${written(block)}\n`)}</div>
<div style="padding:16px 4px 0">
${footer.map(footerLine)}</div>
</div>
</body>
</html>
`)
