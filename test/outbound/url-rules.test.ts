import fc from 'fast-check'
import { expect, test } from 'vitest'
import { checkHost, checkUrl, URL_LENGTH_MAX } from '../../src/outbound/url-rules.ts'

const production = { allowedNetworks: [] }
const check = (text: string) => checkUrl(text, production)

test.each([
  ['https://example.com', 'https://example.com/'],
  ['http://example.com/hooks?x=1', 'http://example.com/hooks?x=1'],
  ['HTTPS://EXAMPLE.com:443/A', 'https://example.com/A'],
  ['https://example.com.:8443/a', 'https://example.com:8443/a'],
  ['https://ação.com.br/', 'https://xn--ao-siap.com.br/'],
  ['https://8.8.8.8/a', 'https://8.8.8.8/a'],
  ['https://134744072/a', 'https://8.8.8.8/a'],
  ['https://[2606:4700:4700::1111]/', 'https://[2606:4700:4700::1111]/'],
  ['https://example.com\\@127.0.0.1/', 'https://example.com/@127.0.0.1/'],
  ['https://example.com/a@b', 'https://example.com/a@b'],
])('%s passes as %s', (text, url) => {
  expect(check(text)).toEqual({ ok: true, url })
})

test.each([
  ['127.0.0.1', 'plain'],
  ['2130706433', 'decimal'],
  ['017700000001', 'octal'],
  ['0177.0.0.1', 'octal in parts'],
  ['0x7f000001', 'hexadecimal'],
  ['0x7f.1', 'hexadecimal and short'],
  ['127.1', 'short'],
  ['127.0.1', 'short'],
  ['0', 'shortest'],
  ['127.0.0.1.', 'trailing dot'],
  ['127.1.', 'short with trailing dot'],
  ['127.0.0.1..', 'two trailing dots'],
  ['１２７.０.０.１', 'fullwidth digits'],
  ['127。0。0。1', 'ideographic full stops'],
  ['①②⑦.⓪.⓪.①', 'circled digits'],
  ['%31%32%37.0.0.1', 'percent-encoded'],
  ['[::1]', 'IPv6'],
  ['[0:0:0:0:0:0:0:1]', 'IPv6 in full'],
  ['[::ffff:127.0.0.1]', 'mapped'],
  ['[::ffff:7f00:1]', 'mapped in hexadecimal'],
  ['[64:ff9b::7f00:1]', 'NAT64'],
  ['169.254.169.254', 'metadata'],
  ['2852039166', 'metadata in decimal'],
  ['10.0.0.1:8080', 'private with a port'],
  ['168.63.129.16', 'platform channel'],
])('%s (%s) is a blocked address', (host) => {
  expect(check(`http://${host}/`)).toEqual({ ok: false, reason: 'blocked_address' })
})

test.each([
  ['', 'invalid_url'],
  ['example.com/hooks', 'invalid_url'],
  ['https://', 'invalid_url'],
  ['https:example.com', 'invalid_url'],
  ['https:/example.com', 'invalid_url'],
  ['https://exa mple.com/', 'invalid_url'],
  [' https://example.com/', 'invalid_url'],
  ['https://example.com/\n', 'invalid_url'],
  ['https://exam\u0000ple.com/', 'invalid_url'],
  ['https://example..com/', 'invalid_url'],
  ['https://example.com../', 'invalid_url'],
  ['https://./', 'invalid_url'],
  ['https://1.2.3.4.5/', 'invalid_url'],
  ['https://[fe80::1%25eth0]/', 'invalid_url'],
  ['https://example.com:65536/', 'invalid_url'],
  ['https://example.com:0/', 'invalid_url'],
  ['ftp://example.com/', 'scheme_not_allowed'],
  ['file:///etc/passwd', 'scheme_not_allowed'],
  ['javascript:alert(1)', 'scheme_not_allowed'],
  ['gopher://127.0.0.1/', 'scheme_not_allowed'],
  ['https://user:pass@example.com/', 'credentials_not_allowed'],
  ['https://user@example.com/', 'credentials_not_allowed'],
  ['https://@example.com/', 'credentials_not_allowed'],
  ['https://example.com/#part', 'fragment_not_allowed'],
  ['https://example.com/#', 'fragment_not_allowed'],
])('%j is refused as %s', (text, reason) => {
  expect(check(text)).toEqual({ ok: false, reason })
})

test('a URL is bounded as it was given and as it is written out', () => {
  expect(check(`https://example.com/${'a'.repeat(URL_LENGTH_MAX)}`)).toEqual({ ok: false, reason: 'too_long' })
  expect(check(`https://example.com/${'é'.repeat(URL_LENGTH_MAX / 4)}`)).toEqual({ ok: false, reason: 'too_long' })
  expect(check(`https://${'a.'.repeat(130)}com/`)).toEqual({ ok: false, reason: 'invalid_url' })
})

test('plain http is refused where it is not allowed', () => {
  expect(checkUrl('http://example.com/', { allowedNetworks: [], allowHttp: false })).toEqual({
    ok: false,
    reason: 'scheme_not_allowed',
  })
})

test('an allowed network opens its addresses in every spelling', () => {
  const development = { allowedNetworks: ['127.0.0.0/8'] }
  expect(checkUrl('http://0x7f.1:3000/a', development)).toEqual({ ok: true, url: 'http://127.0.0.1:3000/a' })
  expect(checkUrl('http://10.0.0.1/', development)).toEqual({ ok: false, reason: 'blocked_address' })
})

test('what passes once passes again unchanged', () => {
  const text = fc.oneof(
    fc.webUrl({ withQueryParameters: true }),
    fc.string(),
    fc.ipV4().map((ip) => `http://${ip}.`),
  )
  fc.assert(
    fc.property(text, (candidate) => {
      const first = check(candidate)
      if (first.ok) expect(check(first.url)).toEqual(first)
    }),
  )
})

test('every spelling of a loopback address is blocked', () => {
  const octet = fc.nat(255)
  const spell = (value: number) =>
    fc.constantFrom(String(value), `0x${value.toString(16)}`, `0${value.toString(8)}`, `0x00${value.toString(16)}`)
  const loopback = fc
    .tuple(octet, octet, octet)
    .chain(([b, c, d]) =>
      fc.oneof(
        fc.tuple(spell(127), spell(b), spell(c), spell(d)),
        fc.tuple(spell(127), spell(b), spell(c * 256 + d)),
        fc.tuple(spell(127), spell((b * 256 + c) * 256 + d)),
        fc.tuple(spell(((127 * 256 + b) * 256 + c) * 256 + d)),
      ),
    )
  fc.assert(
    fc.property(loopback, (parts) => {
      expect(check(`https://${parts.join('.')}/`)).toEqual({ ok: false, reason: 'blocked_address' })
    }),
  )
})

test.each([
  ['a private answer', ['10.0.0.1'], false],
  ['one private among public answers', ['8.8.8.8', '10.0.0.1'], false],
  ['a private AAAA alone', ['fd00::1'], false],
  ['public answers', ['8.8.8.8', '2606:4700:4700::1111'], true],
])('a name with %s is judged by all of them', async (_case, answers, ok) => {
  const outcome = await checkHost('https://hooks.example.com/', async () => answers, production)
  expect(outcome).toEqual(ok ? { ok } : { ok, reason: 'blocked_address' })
})

test('a name that does not resolve passes for now', async () => {
  const unresolvable = async () => Promise.reject(new Error('ENOTFOUND'))
  expect(await checkHost('https://hooks.example.com/', unresolvable, production)).toEqual({ ok: true })
})

test('a literal address is judged without a lookup', async () => {
  const asked: string[] = []
  const resolver = async (name: string) => {
    asked.push(name)
    return ['8.8.8.8']
  }
  expect(await checkHost('https://[::1]/', resolver, production)).toEqual({ ok: false, reason: 'blocked_address' })
  expect(asked).toEqual([])
})
