import { html, toText } from '../../../html.ts'
import type { cardFieldsTexts } from './card-fields.texts.ts'

type Texts = ReturnType<typeof cardFieldsTexts>
type Field = { name: string; label: string; hint?: string; autocomplete: string; maxLength: number; complaint: string }

const field = ({ name, label, hint, autocomplete, maxLength, complaint }: Field) => html`<div class="field ${name}">
<label for="${name}">${label}</label>
<input id="${name}" type="text" inputmode="numeric" autocomplete="${autocomplete}" maxlength="${maxLength}" placeholder="${hint}" aria-describedby="${name}-error" data-complaint="${complaint}">
<p class="error" id="${name}-error" hidden></p>
</div>`

type Page = { texts: Texts; parents: readonly string[]; styleUrl: string; scriptUrl: string }

/** The page inside of the frame. It has no form to send: what is typed never leaves the browser. */
export const cardFieldsPage = ({ texts, parents, styleUrl, scriptUrl }: Page): string =>
  toText(html`<!doctype html>
<html lang="${texts.locale}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${texts.title}</title>
<link rel="stylesheet" href="${styleUrl}">
<script type="module" src="${scriptUrl}"></script>
</head>
<body data-parents="${parents.join(' ')}">
<main>
<h1 class="unseen">${texts.title}</h1>
${field({ name: 'number', label: texts.number, hint: '0000 0000 0000 0000', autocomplete: 'cc-number', maxLength: 23, complaint: texts.wrongNumber })}
<div class="pair">
${field({ name: 'expiry', label: texts.expiry, hint: texts.expiryHint, autocomplete: 'cc-exp', maxLength: 7, complaint: texts.wrongExpiry })}
${field({ name: 'code', label: texts.code, hint: texts.codeHint, autocomplete: 'cc-csc', maxLength: 4, complaint: texts.wrongCode })}
</div>
<p class="test">${texts.test}</p>
</main>
</body>
</html>
`)
