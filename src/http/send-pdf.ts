import type { Readable } from 'node:stream'
import type { FastifyReply } from 'fastify'
import { inline } from './content-disposition.ts'
import { variesBy } from './negotiation.ts'

// The viewers of some browsers are themselves a page with an object and a style in it, to which the policy is applied.
const POLICY = "default-src 'none'; object-src 'self'; style-src 'unsafe-inline'; frame-ancestors 'none'"

/** Answers a PDF that was written for this request, to be shown or saved: of somebody’s, so no cache keeps it. */
export const sendPdf = (reply: FastifyReply, { fileName, pdf }: { fileName: string; pdf: Readable }): FastifyReply =>
  variesBy(reply, 'accept-language')
    .headers({
      'content-type': 'application/pdf',
      'content-disposition': inline(fileName),
      'content-security-policy': POLICY,
      'x-content-type-options': 'nosniff',
      'x-robots-tag': 'noindex',
      'cache-control': 'private, no-store',
    })
    .send(pdf)
