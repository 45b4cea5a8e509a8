import { once } from 'node:events'
import { createServer } from 'node:https'
import { setTimeout as wait } from 'node:timers/promises'
import { readCertificates } from '../../simulators/psp/certificates/folder.ts'
import { brCode } from '../../src/domain/br-code.ts'

// A PSP that costs as little as one can over TLS with client certificates: it makes charges and knows nothing of them. The
// simulator checks and keeps everything, which takes as much of the processors as what is measured.

const [, , folder = '', answersAfterMs = '50'] = process.argv
const AFTER_MS = Number(answersAfterMs)
const CHARGE = /^\/cob\/([a-zA-Z0-9]{26,35})$/

let hangs = false

type Asked = { calendario: { expiracao: number }; valor: { original: string }; chave: string }

const newCharge = (txid: string, { calendario, valor, chave }: Asked) => {
  const location = `pix.psp.example/v2/${txid}`
  return {
    ...{ txid, revisao: 0, status: 'ATIVA', chave, valor, location },
    calendario: { ...calendario, criacao: new Date().toISOString() },
    pixCopiaECola: brCode({ merchantName: 'Banco', merchantCity: 'Recife', url: location }),
  }
}

const TOKEN = { access_token: 'a-token-that-only-the-benchmark-uses', token_type: 'Bearer', expires_in: 3_600 }

const answerTo = (url: string, text: string): { status: number; body: object } => {
  if (url === '/oauth/token') return { status: 200, body: TOKEN }
  const [, txid] = CHARGE.exec(url) ?? []
  if (txid === undefined) return { status: 404, body: { title: 'Não Encontrado' } }
  return { status: 201, body: newCharge(txid, JSON.parse(text)) }
}

const { authority, server: identity } = await readCertificates(folder)
const tls = {
  key: identity.key,
  cert: identity.certificate,
  ca: authority,
  requestCert: true,
  rejectUnauthorized: true,
}

const server = createServer(tls, async (request, reply) => {
  let text = ''
  request.setEncoding('utf8')
  request.on('data', (part: string) => {
    text += part
  })
  await once(request, 'end')
  await wait(AFTER_MS)
  if (hangs) return
  const { status, body } = answerTo(request.url ?? '', text)
  const json = JSON.stringify(body)
  const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(json) }
  reply.writeHead(status, headers).end(json)
})
server.keepAliveTimeout = 60_000

process.on('message', (message: 'hang' | 'answer') => {
  hangs = message === 'hang'
})
process.on('disconnect', () => process.exit(0))
server.listen(0, '127.0.0.1', () => {
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('the sink has no port')
  process.send?.({ port: address.port })
})
