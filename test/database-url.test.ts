import { expect, test } from 'vitest'
import { asksForWriter, hostUrls, withVerifiedTls } from '../src/database-url.ts'

test('several hosts are an URL each, with user, password, database and options of all', () => {
  expect(
    hostUrls(
      'postgres://me:p%40ss@a.internal:5432,[::1]:5433,b/pay?sslmode=verify-full&target_session_attrs=read-write',
    ),
  ).toEqual([
    'postgres://me:p%40ss@a.internal:5432/pay?sslmode=verify-full&target_session_attrs=read-write',
    'postgres://me:p%40ss@[::1]:5433/pay?sslmode=verify-full&target_session_attrs=read-write',
    'postgres://me:p%40ss@b/pay?sslmode=verify-full&target_session_attrs=read-write',
  ])
})

test('one host is its URL as it was given, with a comma elsewhere too', () => {
  for (const url of ['postgres://host/db', 'postgresql://me:a,b@host:5432/db', 'postgres://host/a,b?options=-c,x']) {
    expect(hostUrls(url)).toEqual([url])
  }
})

test.each(['mysql://a,b/db', 'a,b', 'postgres://a,/db', 'postgres://a:1,b:port/db', 'postgres://a b,c/db'])(
  '%s is none',
  (text) => expect(hostUrls(text)).toEqual([]),
)

test('who writes asks for a host that takes writes', () => {
  for (const wish of ['', '?target_session_attrs=read-write', '?target_session_attrs=primary']) {
    expect(asksForWriter(`postgres://a,b/db${wish}`)).toBe(true)
  }
  for (const wish of ['any', 'standby', 'prefer-standby', 'read-only']) {
    expect(asksForWriter(`postgres://a,b/db?target_session_attrs=${wish}`)).toBe(false)
  }
})

test('every name of TLS but disable is what the driver makes of it, unless libpq’s meanings are asked for', () => {
  for (const mode of ['prefer', 'require', 'verify-ca', 'verify-full'])
    expect(withVerifiedTls(`postgres://a,b/db?sslmode=${mode}&x=1`)).toBe('postgres://a,b/db?sslmode=verify-full&x=1')
  for (const rest of ['', '?sslmode=disable', '?sslmode=require&uselibpqcompat=true'])
    expect(withVerifiedTls(`postgres://a/db${rest}`)).toBe(`postgres://a/db${rest}`)
})
