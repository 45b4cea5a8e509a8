import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { cp, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { startTestApp, TEST_ENVIRONMENT, type TestApp } from '../support/app.ts'
import { readMetrics } from '../support/metrics.ts'
import { type ServerProcess, startServer } from '../support/server-process.ts'
import { until } from '../support/until.ts'

const run = promisify(execFile)
const ROOT = join(import.meta.dirname, '..', '..')
const RULES = join(ROOT, 'ops/prometheus')
const DASHBOARDS = join(ROOT, 'ops/grafana/dashboards')
const PROMETHEUS = '/usr/bin/prometheus'
const isThere = existsSync(PROMETHEUS)

type Alert = { alert: string; expr: string; annotations: { runbook: string } }
type Dashboard = { uid: string; title: string; panels: { title: string; targets: { expr: string }[] }[] }

const readAlerts = async (): Promise<Alert[]> => {
  const { groups } = parse(await readFile(join(RULES, 'alerts.yml'), 'utf8'))
  return groups.flatMap(({ rules }: { rules: Alert[] }) => rules)
}

const readDashboards = async (): Promise<Dashboard[]> => {
  const files = await readdir(DASHBOARDS)
  return Promise.all(files.map(async (file) => JSON.parse(await readFile(join(DASHBOARDS, file), 'utf8'))))
}

const readExpressions = async (): Promise<string[]> => {
  const panels = (await readDashboards()).flatMap((dashboard) => dashboard.panels)
  const shown = panels.flatMap(({ targets }) => targets.map(({ expr }) => expr))
  return [...(await readAlerts()).map(({ expr }) => expr), ...shown]
}

/** What an expression measures: neither functions, labels, durations nor words of the language. */
const metricsOf = (expression: string): string[] => {
  const bare = expression
    .replaceAll(/\{[^}]*\}|\[[^\]]*\]|"[^"]*"/g, ' ')
    .replaceAll(/\b(?:by|without|on|ignoring|group_left|group_right)\s*\([^)]*\)/g, ' ')
  const words = [...bare.matchAll(/[a-zA-Z_:][\w:]*(?!\w*\s*\()/g)].map(([word]) => word)
  return words.filter((word) => !['and', 'or', 'unless', 'bool', 'offset'].includes(word))
}

let inside: TestApp

beforeAll(async () => {
  inside = await startTestApp()
})

afterAll(() => inside.close())

test('every metric that a dashboard or an alert names is one that /metrics has', async () => {
  await inside.api.get('/health/live')
  const types = [...(await readMetrics(inside)).matchAll(/^# TYPE (\S+) (\S+)$/gm)]
  const there = types.flatMap(([, name, type]) =>
    type === 'histogram' ? [`${name}_bucket`, `${name}_sum`, `${name}_count`] : [name],
  )
  const named = (await readExpressions()).flatMap(metricsOf)
  expect(named.length).toBeGreaterThan(40)
  // Prometheus' own.
  expect(named.filter((name) => name !== 'up' && !there.includes(name))).toEqual([])
})

test('every alert has its chapter in the runbook, and every chapter its alert', async () => {
  const runbook = await readFile(join(ROOT, 'docs/runbook.md'), 'utf8')
  const chapters = [...runbook.matchAll(/^## (\w+)$/gm)].map(([, name]) => name)
  const alerts = await readAlerts()
  expect(chapters.sort()).toEqual(alerts.map(({ alert }) => alert).sort())
  for (const { alert, annotations } of alerts)
    expect(annotations.runbook).toBe(`docs/runbook.md#${alert.toLowerCase()}`)
})

test('what the compose file for monitoring mounts is there, and its images have versions', async () => {
  const { services } = parse(await readFile(join(ROOT, 'ops/compose.monitoring.yml'), 'utf8'))
  for (const { image, volumes = [] } of Object.values<{ image?: string; volumes?: string[] }>(services)) {
    if (image !== undefined) expect(image).toMatch(/:v?\d+\.\d+\.\d+$/)
    const mounted = volumes.flatMap((volume) => (volume.startsWith('./') ? [volume.split(':')[0] ?? ''] : []))
    // Paths are of the first file's folder, which is the project's.
    for (const path of mounted) expect(existsSync(join(ROOT, path)), path).toBe(true)
  }
  const { scrape_configs: scrapes } = parse(await readFile(join(RULES, 'prometheus.yml'), 'utf8'))
  expect(scrapes[0].static_configs[0].targets).toEqual([`platform:${services.platform.environment.METRICS_PORT}`])
})

const freePort = async (): Promise<number> => {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  await new Promise((resolve) => server.close(resolve))
  return typeof address === 'object' && address !== null ? address.port : 0
}

/** The configuration as it is delivered, but for where the platform is and how often it is asked. */
const writeConfiguration = async (folder: string, targets: { metrics: string; api: string }): Promise<string> => {
  await cp(RULES, folder, { recursive: true })
  const file = join(folder, 'prometheus.yml')
  const delivered = parse(await readFile(file, 'utf8'))
  const [own] = delivered.scrape_configs
  const byToken = {
    job_name: 'payment-platform-by-token',
    authorization: { credentials: TEST_ENVIRONMENT.METRICS_TOKEN },
    static_configs: [{ targets: [targets.api] }],
  }
  const configuration = {
    ...delivered,
    global: { scrape_interval: '1s', evaluation_interval: '1s' },
    scrape_configs: [{ ...own, static_configs: [{ targets: [targets.metrics] }] }, byToken],
  }
  // JSON is YAML.
  await writeFile(file, JSON.stringify(configuration))
  return file
}

test('a Prometheus is there where it must be', () => {
  if (!isThere) process.stdout.write('\n!! No prometheus here: NOBODY SCRAPES, AND NO ALERT IS TRIED.\n\n')
  expect(process.env.PROMETHEUS_TESTS === 'required' && !isThere).toBe(false)
})

describe.runIf(isThere)('a real Prometheus', () => {
  let folder: string
  let server: ServerProcess
  let prometheus: ChildProcess
  let url: string

  const ask = async (path: string) => {
    const answer = await fetch(`${url}/api/v1/${path}`)
    return { status: answer.status, body: (await answer.json()) as { data: Record<string, never[]>; error?: string } }
  }

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'payment-platform-prometheus-'))
    const metricsPort = await freePort()
    server = await startServer({
      environment: {
        ...TEST_ENVIRONMENT,
        LOG_LEVEL: 'info',
        DATABASE_URL: inside.config.databaseUrl ?? '',
        DATA_DIR: join(folder, 'data'),
        METRICS_PORT: String(metricsPort),
      },
    })
    const targets = { metrics: `127.0.0.1:${metricsPort}`, api: new URL(server.url).host }
    const file = await writeConfiguration(folder, targets)
    url = `http://127.0.0.1:${await freePort()}`
    const places = [`--storage.tsdb.path=${join(folder, 'tsdb')}`, `--web.listen-address=${new URL(url).host}`]
    prometheus = spawn(PROMETHEUS, [`--config.file=${file}`, ...places], { stdio: 'ignore' })
    const isReady = () =>
      fetch(`${url}/-/ready`).then(
        ({ ok }) => ok,
        () => false,
      )
    await until('Prometheus is ready', isReady, 60_000)
  })

  afterAll(async () => {
    prometheus?.kill('SIGKILL')
    await server?.stop()
    await rm(folder, { recursive: true, force: true })
  })

  test('promtool accepts configuration and rules, and the alerts fire when they should', async () => {
    const checks = [
      ['check', 'config', 'prometheus.yml'],
      ['check', 'rules', 'alerts.yml'],
      ['test', 'rules', 'alerts.test.yml'],
    ]
    for (const check of checks) await expect(run('promtool', check, { cwd: RULES })).resolves.toBeDefined()
  })

  test('it scrapes the port of the metrics and, with the token, that of the API', async () => {
    type Target = { health: string; lastError: string; labels: { job: string } }
    const targets = await until(
      'both targets are up',
      async () => {
        const { activeTargets = [] } = (await ask('targets')).body.data as unknown as { activeTargets?: Target[] }
        return activeTargets.length === 2 && activeTargets.every(({ health }) => health === 'up')
          ? activeTargets
          : undefined
      },
      30_000,
    )
    expect(targets.map(({ labels }) => labels.job).sort()).toEqual(['payment-platform', 'payment-platform-by-token'])
  })

  test('it evaluates every rule, and no alert fires on a platform at rest', async () => {
    type Rule = { name: string; health: string; state: string; lastError?: string }
    const rules = await until(
      'all rules are evaluated',
      async () => {
        const { groups = [] } = (await ask('rules')).body.data as unknown as { groups?: { rules: Rule[] }[] }
        const all = groups.flatMap((group) => group.rules)
        return all.length > 0 && all.every(({ health }) => health !== 'unknown') ? all : undefined
      },
      30_000,
    )
    expect(rules.map(({ name }) => name).sort()).toEqual((await readAlerts()).map(({ alert }) => alert).sort())
    expect(rules.filter(({ health, state }) => health !== 'ok' || state === 'firing')).toEqual([])
  })

  test('it understands every expression of the dashboards, and knows background jobs by exported_job', async () => {
    for (const expression of await readExpressions()) {
      const { status, body } = await ask(`query?query=${encodeURIComponent(expression)}`)
      expect({ expression, status, error: body.error }).toEqual({ expression, status: 200, error: undefined })
    }
    const names = async () => {
      const { body } = await ask(`query?query=${encodeURIComponent('count by (exported_job) (jobs_waiting)')}`)
      return body.data.result as unknown as { metric: { exported_job?: string } }[]
    }
    const jobs = await until(
      'a job is counted',
      async () => {
        const found = await names()
        return found.length > 0 ? found : undefined
      },
      30_000,
    )
    expect(jobs.every(({ metric }) => metric.exported_job !== undefined)).toBe(true)
  })
})
