import { createHmac } from 'node:crypto'

const encode = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url')

type Forgery = { header?: object; claims: object; secret: string }

/** A JWT made by hand, so that a test decides each part of it. */
export const forgeToken = ({ header = { alg: 'HS256', typ: 'JWT' }, claims, secret }: Forgery): string => {
  const content = `${encode(header)}.${encode(claims)}`
  return `${content}.${createHmac('sha256', secret).update(content).digest('base64url')}`
}

/** What a token says, unverified. */
export const claimsOf = (token: string): { sub: string; sid: string; iss: string; iat: number; exp: number } =>
  JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString())
