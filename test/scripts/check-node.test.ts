import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const SCRIPT = join(import.meta.dirname, '..', '..', 'scripts', 'check-node.cjs')

const checkWith = (version: string) => {
  const pretend = `Object.defineProperty(process, 'versions', { value: { node: '${version}' } })`
  return spawnSync(process.execPath, ['--eval', `${pretend}; require(${JSON.stringify(SCRIPT)})`], { encoding: 'utf8' })
}

test.each(['24.0.0', '24.21.0', '26.1.0'])('Node %s may start the platform', (version) => {
  expect(checkWith(version)).toMatchObject({ status: 0, stderr: '' })
})

test.each(['8.17.0', '18.19.1', '22.20.0'])('Node %s ends the start with one clear line', (version) => {
  const { status, stderr } = checkWith(version)
  expect(status).toBe(1)
  expect(stderr).toMatch(new RegExp(`^This platform needs Node 24 or newer, and this is Node ${version}\\. .*\\n$`))
})
