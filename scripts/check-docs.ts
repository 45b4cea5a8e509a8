import { existsSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { dirname, join, relative } from 'node:path'
import { z } from 'zod'

const PROJECT_FOLDER = join(import.meta.dirname, '..')

const packageSchema = z.object({ scripts: z.record(z.string(), z.string()) })

// What a reader would take for a path of this project: it begins with one of its folders or is a file of its root.
const PATH =
  /^(?:\.\/)?(?:(?:src|test|docs|scripts|bench|simulators|migrations|ops|\.github|\.githooks)\/[\w./@-]*|[\w.-]+\.(?:md|ts|json|yml|cjs))$/
const NPM_SCRIPT = /\bnpm run ([\w:-]+)|\bnpm (start|test)\b/g
const LINK = /\]\((?!https?:|mailto:|#)([^)#\s]+)(?:#[^)]*)?\)/g
const CODE = /`([^`\n]+)`/g

const documents = async (root: string): Promise<string[]> => {
  const inDocs = existsSync(join(root, 'docs')) ? await readdir(join(root, 'docs'), { recursive: true }) : []
  const files = ['README.md', 'CONTRIBUTING.md', 'CHANGELOG.md', ...inDocs.map((name) => join('docs', name))]
  return files.filter((name) => name.endsWith('.md') && existsSync(join(root, name)))
}

const missingPaths = (root: string, name: string, text: string): string[] => {
  const links = [...text.matchAll(LINK)].map(([, path = '']) => join(dirname(join(root, name)), path))
  const mentioned = [...text.matchAll(CODE)]
    .map(([, code = '']) => code)
    .filter((code) => PATH.test(code))
    .map((code) => join(root, code))
  const missing = [...links, ...mentioned].filter((path) => !existsSync(path))
  return missing.map((path) => `${name}: ${relative(root, path)} does not exist`)
}

const missingScripts = (scripts: Readonly<Record<string, string>>, name: string, text: string): string[] =>
  [...text.matchAll(NPM_SCRIPT)]
    .map(([, run, short]) => run ?? short ?? '')
    .filter((script) => scripts[script] === undefined)
    .map((script) => `${name}: package.json has no script ${script}`)

const README = 'README.md'

/** The map of the source in the README has every folder. */
const unmappedFolders = async (root: string): Promise<string[]> => {
  const readme = await readFile(join(root, README), 'utf8')
  const entries = await readdir(join(root, 'src'), { withFileTypes: true })
  return entries
    .filter((entry) => entry.isDirectory() && !readme.includes(`src/${entry.name}/`))
    .map(({ name }) => `${README}: does not say what src/${name}/ is`)
}

/** What the documents of the project at `root` name and the project does not have, and folders that the map leaves out. */
export const documentFaults = async (root: string): Promise<string[]> => {
  const { scripts } = packageSchema.parse(JSON.parse(await readFile(join(root, 'package.json'), 'utf8')))
  const found = await Promise.all(
    (await documents(root)).map(async (name) => {
      const text = await readFile(join(root, name), 'utf8')
      return [...missingPaths(root, name, text), ...missingScripts(scripts, name, text)]
    }),
  )
  return [...new Set([...found.flat(), ...(await unmappedFolders(root))])]
}

if (import.meta.main) {
  const faults = await documentFaults(PROJECT_FOLDER)
  for (const fault of faults) console.error(fault)
  console.log(faults.length === 0 ? 'docs: fine' : `docs: ${faults.length} faults`)
  process.exitCode = faults.length === 0 ? 0 : 1
}
