import { createHash } from 'node:crypto'
import type { FastifyPluginAsync, FastifyReply } from 'fastify'
import { routeErrors } from '../../errors.ts'
import { keptMailsPage, STYLE } from './kept-mails.page.ts'
import type { KeptMail, MailFolder } from './mail-folder.ts'

const STYLE_HASH = createHash('sha256').update(STYLE).digest('base64')
const LIST_POLICY = `default-src 'none'; img-src 'self'; style-src 'sha256-${STYLE_HASH}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`
// Mails carry their style with each element. Nothing else of them is in force.
const MAIL_POLICY =
  "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

const HTML = 'text/html; charset=utf-8'
const TEXT = 'text/plain; charset=utf-8'

type Params = { Params: { id: string } }

/** The mails that a developer would get, instead of a mailbox. Absent in production. */
export const devMailPlugin: FastifyPluginAsync<{ mailFolder: MailFolder }> = async (app, { mailFolder }) => {
  const route = { config: { access: 'public' as const }, schema: { hide: true } }

  const get = async (id: string): Promise<KeptMail> => {
    const mail = await mailFolder.find(id)
    if (mail === undefined) throw routeErrors.not_found()
    return mail
  }

  const answer = (reply: FastifyReply, contentType: string, policy: string): FastifyReply =>
    reply.type(contentType).header('content-security-policy', policy).header('cache-control', 'no-store')

  app.get('', route, async (_request, reply) =>
    answer(reply, HTML, LIST_POLICY).send(keptMailsPage(await mailFolder.list())),
  )

  app.get<Params>('/:id', route, async (request, reply) => {
    const { html } = await get(request.params.id)
    return answer(reply, HTML, MAIL_POLICY).send(html)
  })

  app.get<Params>('/:id/text', route, async (request, reply) => {
    const { subject, text } = await get(request.params.id)
    return answer(reply, TEXT, MAIL_POLICY).send(`${subject}\n\n${text}`)
  })
}
