import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../support/app.ts'

let app: TestApp

beforeAll(async () => {
  app = await startTestApp()
})

afterAll(() => app.close())

test('who may call what changes only with this file', async () => {
  await expect(`${app.app.accessTable.join('\n')}\n`).toMatchFileSnapshot('access-table.txt')
})

test('401: every route that is not public refuses a request without a token, before it looks at anything else', async () => {
  const guarded = app.app.accessTable.filter((line) => !line.includes(' public'))
  expect(guarded.length).toBeGreaterThan(5)
  for (const line of guarded) {
    const [method = '', path = ''] = line.split(' ')
    const url = `${app.url}${path.replace(/:\w+/g, '%00')}`
    const response = await fetch(url, { method, ...(method === 'GET' ? {} : { body: '{', headers: JSON_TYPE }) })
    expect([line, response.status]).toEqual([line, 401])
    await response.arrayBuffer()
  }
})

const JSON_TYPE = { 'content-type': 'application/json' }
