import { createHash, createHmac } from 'node:crypto'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'

type Stored = { bytes: Buffer; contentType: string }
type Reply = [status: number, body: Buffer | string, contentType?: string]
type Credentials = { accessKeyId: string; secretAccessKey: string; region: string }

const sha256 = (data: Buffer | string): string => createHash('sha256').update(data).digest('hex')
const hmac = (key: Buffer | string, data: string): Buffer => createHmac('sha256', key).update(data).digest()

/** The signature that AWS Signature Version 4 asks of a request, worked out from its published description. */
const signatureOf = (request: IncomingMessage, { secretAccessKey, region }: Credentials): string => {
  const url = new URL(request.url ?? '/', 'http://localhost')
  const signedHeaders = /SignedHeaders=([^,]+)/.exec(request.headers.authorization ?? '')?.[1] ?? ''
  const query = [...url.searchParams].map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`)
  const headers = signedHeaders.split(';').map((name) => `${name}:${String(request.headers[name] ?? '').trim()}\n`)
  const payload = String(request.headers['x-amz-content-sha256'])
  const canonical = [request.method, url.pathname, query.sort().join('&'), headers.join(''), signedHeaders, payload]
  const at = String(request.headers['x-amz-date'])
  const scope = `${at.slice(0, 8)}/${region}/s3/aws4_request`
  const key = scope.split('/').reduce<Buffer | string>((secret, part) => hmac(secret, part), `AWS4${secretAccessKey}`)
  return hmac(key as Buffer, ['AWS4-HMAC-SHA256', at, scope, sha256(canonical.join('\n'))].join('\n')).toString('hex')
}

const isSigned = (request: IncomingMessage, credentials: Credentials): boolean => {
  const authorization = request.headers.authorization ?? ''
  const given = /Signature=([0-9a-f]{64})$/.exec(authorization)?.[1]
  return authorization.includes(`Credential=${credentials.accessKeyId}/`) && given === signatureOf(request, credentials)
}

const bodyOf = async (request: IncomingMessage): Promise<Buffer> => {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks)
}

const fault = (code: string) => `<?xml version="1.0" encoding="UTF-8"?><Error><Code>${code}</Code></Error>`

/** A bucket over real HTTP: objects by path, signatures verified. The next `failures` requests get a 503. */
export const startS3Server = async (credentials: Credentials) => {
  const objects = new Map<string, Stored>()
  const state = { failures: 0 }

  const methods: Record<string, (path: string, bytes: Buffer, request: IncomingMessage) => Reply> = {
    PUT: (path, bytes, request) => {
      objects.set(path, { bytes, contentType: String(request.headers['content-type']) })
      return [200, '']
    },
    DELETE: (path) => {
      objects.delete(path)
      return [204, '']
    },
    GET: (path) => {
      const stored = objects.get(path)
      return stored ? [200, stored.bytes, stored.contentType] : [404, fault('NoSuchKey')]
    },
  }

  const act = async (request: IncomingMessage): Promise<Reply> => {
    const path = decodeURIComponent(new URL(request.url ?? '/', 'http://localhost').pathname)
    const bytes = await bodyOf(request)
    state.failures -= 1
    if (state.failures >= 0) return [503, fault('SlowDown')]
    if (!isSigned(request, credentials)) return [403, fault('SignatureDoesNotMatch')]
    return methods[request.method ?? '']?.(path, bytes, request) ?? [405, fault('MethodNotAllowed')]
  }

  const server = createServer((request, response) => {
    void act(request).then(([status, body, type = 'application/xml']) => {
      response.writeHead(status, { 'content-type': type }).end(status === 204 ? undefined : body)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const close = () =>
    new Promise<void>((resolve) => {
      server.closeAllConnections()
      server.close(() => resolve())
    })
  return { url: `http://127.0.0.1:${port}`, objects, state, close }
}
