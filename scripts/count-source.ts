import { glob, readFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { countJourneys } from './count-source/journeys.ts'

// What the source comes to, of this project or of another checkout of it (`--root`): for telling before from after.

const { values } = parseArgs({
  options: { root: { type: 'string', default: '.' }, files: { type: 'boolean', default: false } },
})
const root = resolve(values.root)

const read = async (pattern: string): Promise<string[]> => {
  const texts: string[] = []
  for await (const path of glob(pattern, { cwd: root })) texts.push(await readFile(join(root, path), 'utf8'))
  return texts
}

const linesOf = (texts: readonly string[]): number => texts.reduce((sum, text) => sum + text.split('\n').length - 1, 0)

const source = await read('src/**/*.{ts,js,cjs,sql}')
const migrations = await read('migrations/*.sql')
// Those that a migration writes by a loop over tables are counted as one.
const triggers = [...migrations, ...(await read('src/**/*.sql'))]
  .join('\n')
  .match(/create (or replace )?(constraint )?trigger/gi)
console.table({
  'files of src': source.length,
  'lines of src': linesOf(source),
  migrations: migrations.length,
  'lines of migrations': linesOf(migrations),
  'texts of triggers': triggers?.length ?? 0,
})

for (const [journey, files] of Object.entries(await countJourneys(root))) {
  const byFolder = Object.entries(
    Object.groupBy(files, (path) =>
      path
        .split('/')
        .slice(0, path.startsWith('src/areas/') ? 3 : 2)
        .join('/'),
    ),
  )
  console.log(`\n${journey}: ${files.length} files`)
  console.table(Object.fromEntries(byFolder.map(([folder, inside]) => [folder, inside?.length ?? 0])))
  if (values.files) console.log(files.join('\n'))
}
