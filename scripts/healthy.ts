// Whether the server of this container takes requests: the health check of its image. Exit code 1 says that it does not.
import { readFileSync } from 'node:fs'
import { get } from 'node:http'
import { get as getOverTls } from 'node:https'

const TIMEOUT_MS = 2_500
const { PORT = '3000', TLS_CERTIFICATE_FILE: certificate } = process.env

const fail = (): never => process.exit(1)

const at = { host: '127.0.0.1', port: PORT, path: '/health/ready', timeout: TIMEOUT_MS }
// The certificate names what others call this machine, so it is compared as a whole: with the file itself.
const request =
  certificate === undefined || certificate === ''
    ? get(at)
    : getOverTls({
        ...at,
        ca: readFileSync(certificate),
        allowPartialTrustChain: true,
        checkServerIdentity: () => undefined,
      })
request.on('response', ({ statusCode }) => process.exit(statusCode === 200 ? 0 : 1))
request.on('timeout', fail)
request.on('error', fail)
