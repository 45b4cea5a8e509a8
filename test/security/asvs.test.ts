import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const read = (...path: string[]): string => readFileSync(join(import.meta.dirname, ...path), 'utf8')

const ROW = /^\| (\d+\.\d+\.\d+) \| ([12]) \| (met|n\/a|operator|gap) \| (.+) \|$/gm
const rows = [...read('..', '..', 'docs', 'asvs.md').matchAll(ROW)].map(
  ([, number = '', level = '', state, where = '']) => ({
    requirement: `${number} ${level}`,
    state,
    where,
  }),
)

test('every requirement of level 1 and 2 of OWASP ASVS 5.0 has its line', () => {
  expect(rows.map(({ requirement }) => requirement)).toEqual(read('asvs-requirements.txt').trimEnd().split('\n'))
})

test('a requirement that is met says where', () => {
  const bare = rows.filter(({ state, where }) => state === 'met' && where.length < 8)
  expect(bare).toEqual([])
})

test('what is open is at the head of the page, and the sums are right', () => {
  const text = read('..', '..', 'docs', 'asvs.md')
  const open = [...text.matchAll(/^- \*\*([\d.]+)\*\*/gm)].map(([, number]) => number)
  expect(open).toEqual(rows.filter(({ state }) => state === 'gap').map(({ requirement }) => requirement.split(' ')[0]))
  const summed = ['met', 'n/a', 'operator', 'gap'].map((state) => rows.filter((row) => row.state === state).length)
  expect([...text.matchAll(/(?:here|thing|said|why), (\d+)/g)].map(([, sum]) => Number(sum))).toEqual(summed)
})
