import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { documentFaults } from '../../scripts/check-docs.ts'

let root: string

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'docs-'))
  await mkdir(join(root, 'docs', 'adr'), { recursive: true })
  await mkdir(join(root, 'src'))
  await writeFile(join(root, 'package.json'), '{"scripts": {"start": "", "check": ""}}')
  await writeFile(join(root, 'src', 'app.ts'), '')
})

afterAll(() => rm(root, { recursive: true }))

test('paths, links and scripts that exist are no faults', async () => {
  await writeFile(
    join(root, 'README.md'),
    'Run `npm start`, see `src/app.ts`, `src/` and [the ADR](docs/adr/0001.md#why).\n',
  )
  await writeFile(
    join(root, 'docs', 'adr', '0001.md'),
    'Back to [README](../../README.md), `POST /payments`, <https://x.y>.\n',
  )
  expect(await documentFaults(root)).toEqual([])
})

test('each one that does not exist is named once', async () => {
  await writeFile(join(root, 'README.md'), '`src/gone.ts` `src/gone.ts` [x](docs/gone.md) `npm run bench` `npm test`\n')
  expect(await documentFaults(root)).toEqual([
    'README.md: docs/gone.md does not exist',
    'README.md: src/gone.ts does not exist',
    'README.md: package.json has no script bench',
    'README.md: package.json has no script test',
  ])
})

test('a folder of the source that the README does not mention is named', async () => {
  await mkdir(join(root, 'src', 'known'))
  await mkdir(join(root, 'src', 'unknown'))
  await writeFile(join(root, 'README.md'), 'src/known/   what is known\n')
  expect(await documentFaults(root)).toEqual(['README.md: does not say what src/unknown/ is'])
})
