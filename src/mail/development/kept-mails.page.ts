import { html, toText } from '../../html.ts'
import type { KeptMail } from './mail-folder.ts'

// None of its characters is one that markup escapes, so it stands in the page as it is here.
export const STYLE =
  'body{font:1rem/1.5 system-ui,sans-serif;max-width:44rem;margin:2rem auto;padding:0 1rem}li{margin:0 0 1rem;overflow-wrap:anywhere}small{display:block;color:#5b6472}'

const line = ({ id, to, subject, date }: KeptMail) => html`<li><a href="/dev/mail/${id}">${subject}</a>
<small>${to} · ${date} · <a href="/dev/mail/${id}/text">plain text</a></small></li>
`

/** The mails that were not sent, newest first. */
export const keptMailsPage = (mails: readonly KeptMail[]): string =>
  toText(html`<!doctype html>
<html lang="en">
<meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>Mails</title>
<style>${STYLE}</style>
<h1>Mails</h1>
<p>Without SMTP_URL nothing is sent: each mail is a file in DATA_DIR/mail, and the newest are here.</p>
${mails.length === 0 ? html`<p>There is none yet.</p>` : html`<ul>${mails.map(line)}</ul>`}
</html>
`)
