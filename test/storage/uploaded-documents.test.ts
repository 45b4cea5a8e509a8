import fc from 'fast-check'
import { expect, test } from 'vitest'
import { FILE_NAME_MAX, harmlessFileName } from '../../src/storage/uploaded-documents.ts'

test.each([
  ['contrato social.pdf', 'contrato social.pdf'],
  ['CONTRATO.PDF', 'CONTRATO.pdf'],
  ['../../etc/passwd', 'passwd.pdf'],
  ['C:\\Users\\maria\\rg.pdf', 'rg.pdf'],
  ['', 'document.pdf'],
  ['...', 'document.pdf'],
  ['.pdf', 'pdf.pdf'],
  ['virus.pdf.exe', 'virus.pdf.exe.pdf'],
  ['fdp\u202Efdp.exe', 'fdpfdp.exe.pdf'],
  ['a\u0000b\nc.pdf', 'abc.pdf'],
  ['a<b>:"|?*.pdf', 'a_b______.pdf'],
  ['cartão.pdf', 'cartão.pdf'.normalize('NFC')],
])('%j becomes %s', (given, expected) => {
  expect(harmlessFileName(given, 'application/pdf')).toBe(expected)
})

test('any text becomes a bounded name without folders that ends as its content does', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 400 }), (given) => {
      const name = harmlessFileName(given, 'image/png')
      expect(name.length).toBeLessThanOrEqual(FILE_NAME_MAX)
      expect(name).toMatch(/^[^/\\<>:"|?*\p{Control}\p{Format}]+\.png$/u)
      expect(name.isWellFormed()).toBe(true)
    }),
  )
})
