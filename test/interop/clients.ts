import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { copyWalk, once, type Place, run } from './place.ts'

// Pinned, so that a new version of a generator is met on purpose.
const PYTHON_CLIENT = 'openapi-python-client==0.29.1'
const HEY_API = '@hey-api/openapi-ts@0.99.0'
const OAPI_CODEGEN = 'github.com/oapi-codegen/oapi-codegen/v2/cmd/oapi-codegen@v2.8.2'
const OPENAPI_GENERATOR = 'org.openapitools:openapi-generator-cli:7.17.0'

const COMPILER = join(import.meta.dirname, '..', '..', 'node_modules', 'typescript-native', 'bin', 'tsc')
const TYPES = join(import.meta.dirname, '..', '..', 'node_modules', '@types')

/** A client of the API as a generator makes it: makes it, compiles it, and walks the main job. */
export type InteropClient = { name: string; needs: readonly string[]; walk: (place: Place) => string }

const python = (tools: string, name: string, packages: readonly string[]): string => {
  const venv = join(tools, name)
  once(venv, () => run('python3', ['-m', 'venv', venv]))
  run(join(venv, 'bin', 'pip'), ['install', '--quiet', ...packages])
  return join(venv, 'bin', 'python')
}

const generate = ({ tools, document }: Place, generator: string, output: string, ...options: string[]): void => {
  const jar = once(join(tools, 'openapi-generator-cli.jar'), () => {
    const copy = [`-Dartifact=${OPENAPI_GENERATOR}`, `-DoutputDirectory=${tools}`, '-Dmdep.stripVersion=true']
    run('mvn', ['-q', '-B', 'dependency:copy', ...copy])
  })
  run('java', ['-jar', jar, 'generate', '-i', document, '-g', generator, '-o', output, ...options])
}

const COMPILER_OPTIONS = {
  target: 'es2024',
  module: 'nodenext',
  strict: true,
  skipLibCheck: true,
  types: ['node'],
  typeRoots: [TYPES],
  rootDir: '.',
  outDir: 'built',
}

const TSCONFIG = JSON.stringify({ compilerOptions: COMPILER_OPTIONS, include: ['walk.ts', 'client/**/*.ts'] })

const layOutTypeScript = ({ folder }: Place, program: string): void => {
  copyWalk(program, join(folder, 'walk.ts'))
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}')
  writeFileSync(join(folder, 'tsconfig.json'), TSCONFIG)
}

const walkTypeScript = ({ folder, input }: Place): string => {
  run(process.execPath, [COMPILER, '--project', folder])
  return run(process.execPath, [join(folder, 'built', 'walk.js'), input])
}

const openapiPythonClient = (place: Place): string => {
  const { folder, tools, document, input } = place
  const interpreter = python(tools, 'openapi-python-client', [PYTHON_CLIENT])
  const output = ['--output-path', join(folder, 'client'), '--meta', 'none']
  run(join(interpreter, '..', 'openapi-python-client'), ['generate', '--path', document, ...output])
  return run(interpreter, [copyWalk('openapi-python-client.py', join(folder, 'walk.py')), input])
}

const heyApi = (place: Place): string => {
  const { folder, tools, document } = place
  const home = join(tools, 'hey-api')
  run('npm', ['install', '--silent', '--no-audit', '--no-fund', '--prefix', home, HEY_API, 'typescript@6'])
  // It looks beside itself, in the project that installed it, how files are imported there.
  writeFileSync(join(home, 'tsconfig.json'), TSCONFIG)
  layOutTypeScript(place, 'hey-api.ts.txt')
  run(join(home, 'node_modules', '.bin', 'openapi-ts'), ['-i', document, '-o', join(folder, 'client')], { cwd: folder })
  return walkTypeScript(place)
}

// Without skip-prune it drops the schemas that only webhooks refer to, and then refers to them.
const GO_PARTS = 'types,client,skip-prune'

const oapiCodegen = ({ folder, tools, document, input }: Place): string => {
  const generator = join(tools, 'oapi-codegen')
  once(generator, () => run('go', ['install', OAPI_CODEGEN], { env: { GOBIN: tools } }))
  run('mkdir', ['-p', join(folder, 'client')])
  const target = ['-package', 'client', '-o', join(folder, 'client', 'client.go')]
  run(generator, ['-generate', GO_PARTS, ...target, document])
  copyWalk('oapi-codegen.go', join(folder, 'main.go'))
  for (const args of [
    ['mod', 'init', 'walk'],
    ['mod', 'tidy'],
    ['build', '-o', 'walk', '.'],
  ]) {
    run('go', args, { cwd: folder })
  }
  return run(join(folder, 'walk'), [input])
}

// By default it sends an empty list for each that is left out.
const JAVA_OPTIONS = ['--additional-properties', 'containerDefaultToNull=true']

const generatorJava = (place: Place): string => {
  const client = join(place.folder, 'client')
  generate(place, 'java', client, ...JAVA_OPTIONS)
  copyWalk('Walk.java', join(client, 'src', 'main', 'java', 'Walk.java'))
  const goals = ['compile', 'dependency:build-classpath', '-Dmdep.outputFile=classpath.txt']
  run('mvn', ['-q', '-B', '-DskipTests', ...goals], { cwd: client })
  const libraries = run('cat', [join(client, 'classpath.txt')]).trim()
  return run('java', ['-cp', `${join(client, 'target', 'classes')}:${libraries}`, 'Walk', place.input])
}

// Its TypeScript for the document's webhooks does not compile: everything but those.
const TYPESCRIPT_OPTIONS = [
  '--global-property',
  'apis,models,supportingFiles',
  '--additional-properties',
  'importFileExtension=.js',
]

const generatorTypeScript = (place: Place): string => {
  layOutTypeScript(place, 'typescript-fetch.ts.txt')
  generate(place, 'typescript-fetch', join(place.folder, 'client'), ...TYPESCRIPT_OPTIONS)
  return walkTypeScript(place)
}

const generatorPython = (place: Place): string => {
  const client = join(place.folder, 'client')
  generate(place, 'python', client)
  const interpreter = python(place.tools, 'openapi-generator-python', [client])
  return run(interpreter, [copyWalk('openapi-generator.py', join(place.folder, 'walk.py')), place.input])
}

const GENERATOR_NEEDS = ['java', 'mvn'] as const

export const CLIENTS: readonly InteropClient[] = [
  { name: 'openapi-python-client', needs: ['python3'], walk: openapiPythonClient },
  { name: 'hey-api', needs: ['npm'], walk: heyApi },
  { name: 'oapi-codegen', needs: ['go'], walk: oapiCodegen },
  { name: 'openapi-generator-java', needs: GENERATOR_NEEDS, walk: generatorJava },
  { name: 'openapi-generator-typescript-fetch', needs: GENERATOR_NEEDS, walk: generatorTypeScript },
  { name: 'openapi-generator-python', needs: [...GENERATOR_NEEDS, 'python3'], walk: generatorPython },
]
