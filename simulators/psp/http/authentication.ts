import { TLSSocket } from 'node:tls'
import type { FastifyRequest } from 'fastify'
import { type Bank, findMerchant } from '../bank.ts'
import type { Merchant } from '../certificates/folder.ts'
import { checkToken } from '../standard/tokens.ts'
import { Problem } from './problems.ts'

const owners = new WeakMap<TLSSocket, string>()

const commonNameOf = (socket: TLSSocket): string => {
  const { CN } = socket.getPeerCertificate().subject ?? {}
  return typeof CN === 'string' ? CN : ''
}

/** Whose certificate a connection showed: a merchant's id. Read once, because reading parses it. */
export const certificateOwner = ({ raw: { socket } }: FastifyRequest): string => {
  if (!(socket instanceof TLSSocket)) return ''
  const owner = owners.get(socket) ?? commonNameOf(socket)
  owners.set(socket, owner)
  return owner
}

const unauthorized = (detail: string): Problem => new Problem('AcessoNegado', { status: 401, detail })

/** Answers whose token a request carries. Throws 401 without a good one, and 403 where it does not grant `scope`. */
export const authenticate = (bank: Bank, request: FastifyRequest, scope: string): Merchant => {
  const [, token] = /^Bearer (\S+)$/i.exec(request.headers.authorization ?? '') ?? []
  if (token === undefined) throw unauthorized('O header Authorization: Bearer está ausente.')
  const grant = checkToken(bank, token)
  const merchant = grant && findMerchant(bank, grant.merchantId)
  if (grant === undefined || merchant === undefined) throw unauthorized('O token expirou ou é desconhecido.')
  if (certificateOwner(request) !== merchant.id) throw unauthorized('O token pertence a outro certificado.')
  if (!grant.scopes.has(scope)) {
    throw new Problem('AcessoNegado', { status: 403, detail: `O token não concede o escopo ${scope}.` })
  }
  return merchant
}
