import fc from 'fast-check'
import { expect, test } from 'vitest'
import { html, toText } from '../src/html.ts'

test('values are escaped in texts and in quoted attributes', () => {
  const hostile = `<script>alert("1")</script>&'`
  expect(toText(html`<p title="${hostile}">${hostile}</p>`)).toBe(
    '<p title="&lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt;&amp;&#39;">&lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt;&amp;&#39;</p>',
  )
})

test('markup stands as it is, in lists too, and what is absent is nothing', () => {
  const items = ['a', '<b>'].map((item) => html`<li>${item}</li>`)
  expect(toText(html`<ul>${items}</ul>${null}${undefined}${false}${0}`)).toBe('<ul><li>a</li><li>&lt;b&gt;</li></ul>0')
})

test('no text can become markup, also not one that says it is', () => {
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom('<', '>', '"', "'", '&', '\u2028', '\u0000', 'é', 'a') }), (text) => {
      const written = toText(html`<i a="${text}">${[text]}</i>`)
      expect(written.replace(/^<i a="|<\/i>$/g, '').replace('">', '')).not.toMatch(/[<>"']/)
    }),
  )
  const forged = { ...JSON.parse('{"markup":"<script>"}'), toString: () => '<script>' }
  expect(() => toText(html`${forged}`)).toThrow()
})
