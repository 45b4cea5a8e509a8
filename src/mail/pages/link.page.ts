import type { MailLanguage } from '../../domain/mail.ts'
import { html, toText } from '../../html.ts'

/** The pages that links of mails lead to, and the operation that each calls when its button is pressed. */
export const LINK_PAGES = {
  'verify-email': { operation: '/api/v1/auth/email/verify', asks: [] },
  'confirm-email': { operation: '/api/v1/auth/email/verify', asks: [] },
  'reset-password': { operation: '/api/v1/auth/password/reset', asks: ['password'] },
  'accept-invitation': { operation: '/api/v1/auth/invitations/accept', asks: ['name', 'password'] },
} as const

export type LinkPage = keyof typeof LINK_PAGES

type Asked = (typeof LINK_PAGES)[LinkPage]['asks'][number]

type Words = { title: string; button: string; done: string }
type Language = {
  tag: string
  pages: Readonly<Record<LinkPage, Words>>
  fields: Readonly<Record<Asked, string>>
  failed: string
  wait: string
}

const LANGUAGES: Readonly<Record<MailLanguage, Language>> = {
  pt: {
    tag: 'pt-BR',
    pages: {
      'verify-email': {
        title: 'Confirme seu e-mail',
        button: 'Confirmar',
        done: 'Pronto: seu e-mail está confirmado.',
      },
      'confirm-email': {
        title: 'Confirme seu novo e-mail',
        button: 'Confirmar',
        done: 'Pronto: entre na sua conta com o novo e-mail.',
      },
      'reset-password': { title: 'Crie uma nova senha', button: 'Salvar', done: 'Pronto: entre com a nova senha.' },
      'accept-invitation': {
        title: 'Aceite o convite',
        button: 'Aceitar',
        done: 'Pronto: sua conta foi criada. Entre com seu e-mail e a nova senha.',
      },
    },
    fields: { name: 'Seu nome', password: 'Nova senha' },
    failed: 'Não deu certo. Tente de novo.',
    wait: 'Um momento…',
  },
  en: {
    tag: 'en',
    pages: {
      'verify-email': { title: 'Confirm your e-mail', button: 'Confirm', done: 'Done: your e-mail is confirmed.' },
      'confirm-email': {
        title: 'Confirm your new e-mail',
        button: 'Confirm',
        done: 'Done: log in with the new e-mail from now on.',
      },
      'reset-password': { title: 'Choose a new password', button: 'Save', done: 'Done: log in with the new password.' },
      'accept-invitation': {
        title: 'Accept the invitation',
        button: 'Accept',
        done: 'Done: your account was made. Log in with your e-mail and the new password.',
      },
    },
    fields: { name: 'Your name', password: 'New password' },
    failed: 'That did not work. Try again.',
    wait: 'One moment…',
  },
}

// None of the characters of either is one that markup escapes, so they stand in the page as they are here.
export const STYLE =
  'body{font:1rem/1.5 system-ui,sans-serif;max-width:26rem;margin:3rem auto;padding:0 1rem;color:#1a1f27;background:#fff}input,button{font:inherit;display:block;width:100%;box-sizing:border-box;padding:.7rem;margin:.3rem 0 1rem;border:1px solid #5b6472;border-radius:8px}button{border:0;background:#0b5fff;color:#fff;cursor:pointer}'

// Mail programs and scanners open links by themselves: only the button uses one up. Another link, opened in the same window,
// differs behind the # alone, for which browsers load nothing.
export const SCRIPT = `addEventListener(\`submit\`, async (event) => {
  event.preventDefault()
  const { form, status } = { form: event.target, status: document.querySelector(\`[role=status]\`) }
  const { operation, done, failed, wait } = form.dataset
  // Links of mails from before have it in front of the #.
  const token = new URLSearchParams(location.hash.slice(1) || location.search).get(\`token\`) ?? \`\`
  const body = JSON.stringify({ token, ...Object.fromEntries(new FormData(form)) })
  status.textContent = wait
  try {
    const answer = await fetch(operation, { method: \`POST\`, headers: { [\`content-type\`]: \`application/json\` }, body })
    const problem = answer.ok ? undefined : await answer.json()
    status.textContent = problem ? (problem.errors?.[0]?.message ?? problem.detail) : done
    if (answer.ok) form.remove()
  } catch {
    status.textContent = failed
  }
})
addEventListener(\`hashchange\`, () => location.reload())`

const field = (name: Asked, label: string) =>
  name === 'name'
    ? html`<label>${label}<input name="name" autocomplete="name" maxlength="120" required></label>`
    : html`<label>${label}<input name="password" type="password" autocomplete="new-password" minlength="8" maxlength="128" required></label>`

/** A page with one button. */
export const linkPage = (page: LinkPage, language: MailLanguage): string => {
  const { tag, pages, fields, failed, wait } = LANGUAGES[language]
  const { title, button, done } = pages[page]
  const { operation, asks } = LINK_PAGES[page]
  return toText(html`<!doctype html>
<html lang="${tag}">
<head>
<meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<style>${STYLE}</style>
</head>
<body>
<main>
<h1>${title}</h1>
<form data-operation="${operation}" data-done="${done}" data-failed="${failed}" data-wait="${wait}">
${asks.map((name) => field(name, fields[name]))}
<button>${button}</button>
</form>
<p role="status"></p>
</main>
<script>`).concat(SCRIPT, '</script>\n</body>\n</html>\n')
}
