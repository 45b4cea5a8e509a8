import { expect, test } from 'vitest'
import { createMetrics } from '../../src/telemetry/metrics.ts'

test('figures are read when they are asked for, alone or by label', async () => {
  let waiting = 1
  const byState: Record<string, number> = { open: 2 }
  const metrics = createMetrics([
    { name: 'jobs_waiting', help: 'Jobs.', read: () => waiting },
    { name: 'deliveries', help: 'Deliveries.', label: 'state', read: async () => ({ ...byState }) },
  ])
  expect(await metrics.text()).toMatch(/^jobs_waiting 1$/m)
  waiting = 7
  delete byState.open
  byState.late = 3
  const text = await metrics.text()
  expect(text).toMatch(/^jobs_waiting 7$/m)
  expect(text).toMatch(/^deliveries\{state="late"\} 3$/m)
  expect(text).not.toContain('state="open"')
})

test('a figure that cannot be read is left out and counted, and the others are shown', async () => {
  const states = { isAway: false }
  const metrics = createMetrics([
    {
      name: 'backlog',
      help: 'Backlog.',
      read: async () => {
        if (states.isAway) throw new Error('no database')
        return 5
      },
    },
    { name: 'steady', help: 'Steady.', read: () => 1 },
  ])
  expect(await metrics.text()).toMatch(/^backlog 5$/m)
  states.isAway = true
  await metrics.text()
  const text = await metrics.text()
  expect(text).not.toMatch(/^backlog /m)
  expect(text).toMatch(/^steady 1$/m)
  expect(text).toMatch(/^metrics_read_failures_total\{gauge="backlog"\} [12]$/m)
})
