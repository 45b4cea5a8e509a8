import fc from 'fast-check'
import { expect, test } from 'vitest'
import { csvLine, csvStream, prefersCsv } from '../../src/http/csv.ts'

test('a cell with a comma, a quote or a line break is quoted', () => {
  expect(csvLine(['a,b', 'say "hi"', 'two\nlines', 'plain', 1, true, null])).toBe(
    '"a,b","say ""hi""","two\nlines",plain,1,true,\r\n',
  )
})

test('a text that a spreadsheet would run is disarmed, a negative number is left alone', () => {
  expect(csvLine(['=1+1', '+55', '-2', '@sum', '\tx', '\rx', -2])).toBe(`'=1+1,'+55,'-2,'@sum,'\tx,"'\rx",-2\r\n`)
})

test('no text of any kind becomes a cell that begins like a formula', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      expect(csvLine([text]).replace(/^"/, '')).not.toMatch(/^[=+\-@\t]/)
    }),
  )
})

test('a stream is its header and then every batch', async () => {
  async function* batches() {
    yield [{ id: 'a', amount: 1 }]
    yield [
      { id: 'b', amount: 2 },
      { id: 'c', amount: -3 },
    ]
  }
  const parts = await csvStream<{ id: string; amount: number }>(['id', 'amount'], batches()).toArray()
  expect(parts.join('')).toBe('id,amount\r\na,1\r\nb,2\r\nc,-3\r\n')
})

test('only a named text/csv that JSON does not outweigh asks for CSV', () => {
  for (const accept of ['text/csv', 'TEXT/CSV; charset=utf-8', 'application/json;q=0.5,text/csv', 'text/csv,*/*']) {
    expect(prefersCsv(accept)).toBe(true)
  }
  for (const accept of [undefined, '', '*/*', 'text/*', 'text/csv;q=0', 'application/json,text/csv;q=0.9']) {
    expect(prefersCsv(accept)).toBe(false)
  }
})
