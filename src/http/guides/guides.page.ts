import { type Guide, urlOfGuide } from './guides.ts'

/** Where the style and the script of the pages are. */
export type GuideAssets = { styleUrl: string; scriptUrl: string }

type Page = { title: string; main: string; current: string | undefined }

// Nothing here comes from anybody but us: the guides and their titles are files of this repository.
const document = ({ title, main, current }: Page, guides: readonly Guide[], { styleUrl, scriptUrl }: GuideAssets) => {
  const links = guides.map(({ name, title: text }) => {
    const here = name === current ? ' aria-current="page"' : ''
    return `<li><a href="${urlOfGuide(name)}"${here}>${text}</a></li>`
  })
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><meta name="color-scheme" content="light dark">
<title>${title}</title>
<link rel="stylesheet" href="${styleUrl}"><script type="module" src="${scriptUrl}"></script>
</head>
<body>
<header>
<nav aria-label="Guides"><ul>
${links.join('\n')}
<li><a href="/docs/">API reference</a></li>
</ul></nav>
<form action="/docs/guides" role="search"><label for="q">Search</label> <input id="q" name="q" type="search" maxlength="100" autocomplete="off"></form>
</header>
<main>
${main}
</main>
</body>
</html>
`
}

/** One guide. */
export const guidePage = (guide: Guide, guides: readonly Guide[], assets: GuideAssets): string =>
  document({ title: guide.title, main: guide.body, current: guide.name }, guides, assets)

// What stands in a script ends with its closing tag, wherever that comes from.
const indexOf = (guides: readonly Guide[]): string =>
  JSON.stringify(guides.flatMap(({ sections }) => sections)).replaceAll('<', '\\u003c')

/** All guides, and what its script searches them with: a few kilobytes in the page itself. */
export const guidesPage = (guides: readonly Guide[], assets: GuideAssets): string => {
  const list = guides.map(
    ({ name, title, summary }) =>
      `<li><a href="${urlOfGuide(name)}">${title}</a><br>${summary.replaceAll('<', '&lt;')}</li>`,
  )
  const main = `<h1>Guides</h1>
<ol id="results" aria-live="polite" hidden></ol>
<ul id="guides">
${list.join('\n')}
</ul>
<script type="application/json" id="sections">${indexOf(guides)}</script>`
  return document({ title: 'Guides', main, current: undefined }, guides, assets)
}
