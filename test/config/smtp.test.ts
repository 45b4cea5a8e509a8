import { expect, test } from 'vitest'
import { readMailSender, readSmtpUrl } from '../../src/config/smtp.ts'
import { loadConfig } from '../../src/config.ts'

test.each([
  ['smtp://mail.example.com', { host: 'mail.example.com', port: 587, secure: false, requireTls: false }],
  ['smtp://mail.example.com:25/', { host: 'mail.example.com', port: 25, requireTls: false }],
  ['smtps://mail.example.com', { port: 465, secure: true, requireTls: false }],
  ['smtp://[::1]:2525', { host: '::1', port: 2525 }],
  ['smtp://mail.example.com?starttls=required', { requireTls: true }],
  ['smtp://u:p@mail.example.com', { requireTls: true, credentials: { user: 'u', password: 'p' } }],
  ['smtp://u:p@mail.example.com?starttls=optional', { requireTls: false }],
  ['smtp://a%40b.com:p%3A%2F%3F@mail.example.com', { credentials: { user: 'a@b.com', password: 'p:/?' } }],
])('%s is a server', (text, server) => {
  expect(readSmtpUrl(text)).toMatchObject(server)
})

test.each([
  'mail.example.com',
  'http://mail.example.com',
  'smtp://',
  'smtp://mail.example.com/folder',
  'smtp://mail.example.com#part',
  'smtp://mail.example.com?starttls=maybe',
  'smtp://mail.example.com?tls=no',
  'smtps://mail.example.com?starttls=optional',
  'smtp://hush:p%ZZhush@mail.example.com',
])('%s is none, and the message says what it must be like without quoting it', (text) => {
  expect(() => readSmtpUrl(text)).toThrow(/^must be like smtp:/)
  expect(() => readSmtpUrl(text)).not.toThrow(/hush/)
})

test.each([
  ['no-reply@example.com', { name: '', address: 'no-reply@example.com' }],
  ['Exemplo Pagamentos <no-reply@example.com>', { name: 'Exemplo Pagamentos', address: 'no-reply@example.com' }],
  ['<no-reply@example.com>', { name: '', address: 'no-reply@example.com' }],
])('%s is a sender', (text, sender) => {
  expect(readMailSender(text)).toEqual(sender)
})

test.each([
  '',
  'Shop',
  'Shop <a@b>',
  'a@example.com, b@example.com',
  'A\r\nBcc: x <a@example.com>',
  'A <a@example.com> B',
])('%j is none', (text) => {
  expect(() => readMailSender(text)).toThrow(/^must be an address/)
})

test('faults name their variable and never a password', () => {
  const load = (environment: Record<string, string>) => () => loadConfig({ NODE_ENV: 'test', ...environment })
  expect(load({ SMTP_URL: 'smtps://u:hush@h?x=1', MAIL_FROM: 'a@example.com' })).toThrow(/SMTP_URL: must be like/)
  expect(load({ SMTP_URL: 'smtps://u:hush@h?x=1', MAIL_FROM: 'a@example.com' })).not.toThrow(/hush/)
  expect(load({ SMTP_URL: 'smtp://mail.example.com' })).toThrow(/MAIL_FROM: must be set when SMTP_URL is/)
})
