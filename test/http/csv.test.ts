import accepts from '@fastify/accepts'
import fc from 'fast-check'
import fastify from 'fastify'
import { expect, test } from 'vitest'
import { csvLines, csvStream, prefersCsv } from '../../src/http/csv.ts'

const csvLine = (cells: readonly (string | number | boolean | null)[]): string => {
  const columns = cells.map((_, index) => `column${index}`)
  return csvLines([Object.fromEntries(cells.map((cell, index) => [`column${index}`, cell]))], columns)
}

test('a cell with a comma, a quote or a line break is quoted', () => {
  expect(csvLine(['a,b', 'say "hi"', 'two\nlines', 'plain', 1, true, null])).toBe(
    '"a,b","say ""hi""","two\nlines",plain,1,true,\r\n',
  )
})

test('a text that a spreadsheet would run is disarmed, a negative number is left alone', () => {
  expect(csvLine(['=1+1', '+55', '-2', '@sum', '\tx', '\rx', -2])).toBe(`'=1+1,'+55,'-2,'@sum,'\tx,"'\rx",-2\r\n`)
})

test('so is one that begins with the same characters in full width, which spreadsheets take for them', () => {
  expect(csvLine(['＝1+1', '＋55', '－2', '＠sum', 'a＝1'])).toBe("'＝1+1,'＋55,'－2,'＠sum,a＝1\r\n")
})

test('no text of any kind becomes a cell that begins like a formula', () => {
  const begins = fc.constantFrom('', ...'=+-@\t\r＝＋－＠')
  fc.assert(
    fc.property(begins, fc.string({ unit: 'binary' }), (first, rest) => {
      expect(csvLine([first + rest]).replace(/^"/, '')).not.toMatch(/^[=+\-@\t＝＋－＠]/)
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

const server = fastify()
await server.register(accepts)
server.get('/', async (request, reply) => ({ csv: prefersCsv(request, reply) }))

test.each([
  ['text/csv', true],
  ['TEXT/CSV; charset=utf-8', true],
  ['application/json;q=0.5,text/csv', true],
  ['text/csv,*/*', true],
  ['text/csv,application/json', true],
  [undefined, false],
  ['', false],
  ['*/*', false],
  ['text/*', false],
  ['text/csv;q=0', false],
  ['application/json,text/csv;q=0.9', false],
  ['application/json,text/csv', false],
])('only a named text/csv that JSON does not outweigh asks for CSV: %s', async (accept, expected) => {
  const answer = await server.inject({ url: '/', headers: accept === undefined ? {} : { accept } })
  expect([answer.json(), answer.headers.vary]).toEqual([{ csv: expected }, 'accept'])
})
