import { expect, test } from 'vitest'
import { attachment } from '../../src/http/content-disposition.ts'

test.each([
  ['plain.pdf', 'attachment; filename=plain.pdf'],
  ['a b.pdf', 'attachment; filename="a b.pdf"'],
  ['cartão.pdf', "attachment; filename=cartao.pdf; filename*=UTF-8''cart%C3%A3o.pdf"],
  ['文書.pdf', "attachment; filename=__.pdf; filename*=UTF-8''%E6%96%87%E6%9B%B8.pdf"],
  ['a"b\\c%41.pdf', "attachment; filename=a_b_c_41.pdf; filename*=UTF-8''a%22b%5Cc%2541.pdf"],
  ["it's (1)*.pdf", 'attachment; filename="it\'s (1)*.pdf"'],
  ['a;b=c.pdf', 'attachment; filename="a;b=c.pdf"'],
  [
    'a\r\nSet-Cookie: x=1.pdf',
    'attachment; filename="a__Set-Cookie: x=1.pdf"; filename*=UTF-8\'\'a%0D%0ASet-Cookie%3A%20x%3D1.pdf',
  ],
])('%j is named whole and in ASCII', (name, header) => {
  expect(attachment(name)).toBe(header)
})
