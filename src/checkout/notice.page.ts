import type { PublicLink } from '../areas/payment-links/public-links.view.ts'
import { type Html, html } from '../html.ts'
import type { Locale } from './formats.ts'
import { linkSummary, shareTags } from './link-summary.ts'
import type { Page } from './page.ts'

export type Mood = 'good' | 'waiting' | 'bad'

const SHAPES: Readonly<Record<Mood, string>> = {
  good: 'M9.5 16.6 5.4 12.5 4 13.9l5.5 5.5L20.5 8.4 19.1 7z',
  waiting: 'M10.8 4h2.4v7.6l5.4 3.1-1.2 2.1-6.6-3.8z',
  bad: 'M10.6 4h2.8v10.5h-2.8zm0 12.7h2.8v2.8h-2.8z',
}

/** A round sign of how things stand. Nothing depends on its colour: the heading beside it says the same. */
export const sign = (mood: Mood): Html =>
  html`<span class="sign ${mood}" aria-hidden="true"><svg viewBox="0 0 24 24"><path d="${SHAPES[mood]}"/></svg></span>`

type Notice = { heading: string; note: string }

/** A page that says one thing: an unknown address, a refusal, a fault. */
export const noticePage = (locale: Locale, { heading, note }: Notice, backTo?: string): Page => ({
  locale,
  title: heading,
  main: html`<main id="main" class="single"><div class="card notice">
  ${sign('bad')}
  <h1>${heading}</h1>
  <p>${note}</p>
  ${backTo !== undefined && html`<p><a class="button" href="${backTo}">${locale.texts.states.open}</a></p>`}
</div></main>`,
})

/** The page of a link that takes no payments as it stands. */
export const closedLinkPage = (locale: Locale, link: PublicLink): Page => {
  const status = link.status === 'active' ? 'inactive' : link.status
  const { heading, note } = locale.texts.states[status]
  // Of a deleted link nothing is told any more.
  if (status === 'deleted') return noticePage(locale, { heading, note })
  return {
    locale,
    title: `${heading} · ${link.title}`,
    head: shareTags(locale, link),
    seller: link,
    main: html`<main id="main" class="columns">
${linkSummary(locale, link)}
<div class="card notice">
  ${sign(status === 'completed' ? 'good' : 'bad')}
  <h2>${heading}</h2>
  <p>${note}</p>
</div></main>`,
  }
}
