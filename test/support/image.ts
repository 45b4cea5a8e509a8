import { execFile } from 'node:child_process'
import { cp, mkdir, readdir, readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)
const ROOT = join(import.meta.dirname, '..', '..')

const linesOf = async (name: string): Promise<string[]> =>
  (await readFile(join(ROOT, name), 'utf8')).split('\n').filter((line) => line.trim() !== '' && !line.startsWith('#'))

type Dockerfile = { copied: { from: string; to: string }[]; removed: string; environment: Record<string, string> }

/** What the last stage of the Dockerfile copies from the project, and what the first takes away again. */
export const readDockerfile = async (): Promise<Dockerfile> => {
  const text = (await readFile(join(ROOT, 'Dockerfile'), 'utf8')).replaceAll(/\\\n(\s*#.*\n)*/g, ' ')
  const last = text.slice(text.lastIndexOf('\nFROM '))
  const copied = [...last.matchAll(/^COPY (?!--from)(\S+) (\S+)$/gm)].map(([, from = '', to = '']) => ({ from, to }))
  const [, removed = ''] = /rm -rf (.+)/.exec(text) ?? []
  const [, variables = ''] = /^ENV (.+)$/m.exec(last) ?? []
  return { copied, removed, environment: Object.fromEntries(variables.split(' ').map((pair) => pair.split('='))) }
}

/** What a build of the image is shown of the project: the lines of .dockerignore that take something back. */
const shown = async (): Promise<string[]> => {
  const [everything, ...exceptions] = await linesOf('.dockerignore')
  if (everything !== '*' || exceptions.some((line) => !line.startsWith('!')))
    throw new Error('.dockerignore has changed')
  return exceptions.map((line) => line.slice(1))
}

type Lock = { packages: Record<string, { dev?: boolean }> }

// As `npm ci --omit=dev` leaves it.
const copyDependencies = async (folder: string): Promise<void> => {
  const { packages } = JSON.parse(await readFile(join(ROOT, 'package-lock.json'), 'utf8')) as Lock
  const all = Object.entries(packages).filter(([path]) => path !== '')
  const outermost = all.filter(([path, { dev }]) => dev !== true && path.lastIndexOf('node_modules/') === 0)
  for (const [path] of outermost) {
    await mkdir(dirname(join(folder, path)), { recursive: true })
    // An optional one may not be for this machine. Hard links where they can be.
    await run('cp', ['-al', join(ROOT, path), join(folder, path)]).catch(() =>
      cp(join(ROOT, path), join(folder, path), { recursive: true, verbatimSymlinks: true }).catch(() => undefined),
    )
  }
}

/** The files that the image has in its working folder, put together in `folder` by what the Dockerfile says. */
export const createImageTree = async (folder: string): Promise<void> => {
  const [{ copied, removed }, visible] = await Promise.all([readDockerfile(), shown()])
  for (const { from, to } of copied) {
    if (!visible.includes(from)) throw new Error(`.dockerignore hides ${from}`)
    await cp(join(ROOT, from), join(folder, to.endsWith('/') ? join(to, from) : to), { recursive: true })
  }
  await copyDependencies(folder)
  await run('sh', ['-c', `rm -rf ${removed}`], { cwd: folder })
}

/** Documents for those who run the platform, not for those who change it. */
const NOT_FOR_OPERATORS = ['testing.md', 'webhook-tests.md', 'psp-simulator.md', 'performance.md']

/** Beside tests: what is run where the source is. */
const OF_A_CHECKOUT = ['psp', 'check', 'screenshots']

/** Every npm script that the documents of operation tell to run, each once. */
export const documentedScripts = async (): Promise<string[]> => {
  const names = (await readdir(join(ROOT, 'docs'))).filter(
    (name) => name.endsWith('.md') && !NOT_FOR_OPERATORS.includes(name),
  )
  const texts = await Promise.all(names.map((name) => readFile(join(ROOT, 'docs', name), 'utf8')))
  const found = texts.flatMap((text) => [...text.matchAll(/\bnpm (?:run ([\w:-]+)|(start)\b)/g)])
  const scripts = found.map(([, script, start]) => script ?? start ?? '')
  return [...new Set(scripts)].filter((script) => !script.startsWith('test:') && !OF_A_CHECKOUT.includes(script)).sort()
}
