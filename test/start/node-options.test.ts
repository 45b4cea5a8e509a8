import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const read = (name: string): string => readFileSync(join(import.meta.dirname, '..', '..', name), 'utf8')

test('the image and the worker run with the options of node that npm start has', () => {
  const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<'start' | 'worker', string> }
  const commands = [...read('Dockerfile').matchAll(/^CMD (\[.+\])$/gm)]
  expect(commands.map(([, command = '[]']) => JSON.parse(command).join(' '))).toEqual([scripts.start])
  expect(scripts.worker).toBe(scripts.start.replace('src/server.ts', 'src/worker.ts'))
})
