import type { TestApp } from './app.ts'

type Sent = { cookie?: string | undefined; language?: string; headers?: Record<string, string> }

/** A page as a browser gets it. `cookie` is what that browser sends back from now on. */
export type PageAnswer = { status: number; text: string; headers: Headers; location: string | null; cookie: string }

const headersOf = ({ cookie, language, headers }: Sent): Record<string, string> => ({
  ...(cookie === undefined ? {} : { cookie }),
  ...(language === undefined ? {} : { 'accept-language': language }),
  ...headers,
})

const answerOf = async (response: Response, before: string | undefined): Promise<PageAnswer> => ({
  status: response.status,
  text: await response.text(),
  headers: response.headers,
  location: response.headers.get('location'),
  cookie: response.headers.get('set-cookie')?.split(';')[0] ?? before ?? '',
})

/** Opens a page outside of the API, as a browser does. */
export const openPage = async ({ url }: Pick<TestApp, 'url'>, path: string, sent: Sent = {}): Promise<PageAnswer> =>
  answerOf(await fetch(new URL(path, url), { headers: headersOf(sent), redirect: 'manual' }), sent.cookie)

/** Sends the form of a page from that page itself, unless the headers say otherwise. */
export const sendForm = async (
  { url }: Pick<TestApp, 'url'>,
  path: string,
  fields: Record<string, string>,
  sent: Sent = {},
): Promise<PageAnswer> => {
  const headers = { 'sec-fetch-site': 'same-origin', ...headersOf(sent) }
  const body = new URLSearchParams(fields)
  return answerOf(await fetch(new URL(path, url), { method: 'POST', body, headers, redirect: 'manual' }), sent.cookie)
}

/** The value of a hidden field of a page. */
export const hiddenField = (page: Pick<PageAnswer, 'text'>, name: string): string =>
  new RegExp(`name="${name}" value="([^"]*)"`).exec(page.text)?.[1] ?? ''

/** The error that stands beside a field, or undefined. */
export const errorBeside = (page: Pick<PageAnswer, 'text'>, field: string): string | undefined =>
  new RegExp(`id="${field}-error">([^<]+)<`).exec(page.text)?.[1]
