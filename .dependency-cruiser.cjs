// What may import what. Each rule is proved on a planted violation in test/architecture.test.ts.
const TYPES_ONLY = { dependencyTypesNot: ['type-only'] }

// From the inside out: a folder may import those of its own row and of the rows before it.
const ROWS = [
  ['^src/domain/'],
  ['^src/(errors|clock|ids|config|version)\\.ts$'],
  ['^src/(db|http|ledger|events|audit|figures|idempotency|providers|outbound|crypto|storage|logging)/'],
  ['^src/areas/'],
  ['^src/repositories\\.ts$'],
  ['^src/(checkout|workers)/'],
  ['^src/compose(\\.ts$|/)'],
  ['^src/app\\.ts$'],
  ['^src/start/'],
  ['^src/(server|worker)\\.ts$'],
].map(([path]) => path)

const onlyInwards = ROWS.slice(0, -1).map((path, index) => ({
  name: 'imports-go-one-way',
  comment: 'A file imports from its own row or from further inside, so that the inside can be read alone.',
  severity: 'error',
  from: { path },
  to: { path: ROWS.slice(index + 1).join('|'), ...TYPES_ONLY },
}))

module.exports = {
  forbidden: [
    {
      name: 'no-circular',
      comment: 'Files that need each other are one file.',
      severity: 'error',
      from: {},
      to: { circular: true, viaOnly: { dependencyTypesNot: ['type-only'] } },
    },
    {
      name: 'domain-is-pure',
      comment: 'The domain knows no clock, no ids, no database and no library.',
      severity: 'error',
      from: { path: '^src/domain/' },
      to: { pathNot: '^src/domain/' },
    },
    ...onlyInwards,
    {
      name: 'areas-meet-only-by-type',
      comment: 'An area gets the services of others handed in. How a thing looks (schemas, views) is shared.',
      severity: 'error',
      from: { path: '^src/areas/([^/]+)/', pathNot: '\\.(tables|repository|queries)\\.ts$' },
      to: { path: '^src/areas/', pathNot: '^src/areas/$1/|\\.(schemas|view|errors)\\.ts$', ...TYPES_ONLY },
    },
    {
      name: 'areas-meet-only-by-type',
      comment: 'Tables refer to the tables of other areas, and reads may join them; nothing else of an area is in SQL.',
      severity: 'error',
      from: { path: '^src/areas/([^/]+)/.*\\.(tables|repository|queries)\\.ts$' },
      to: { path: '^src/areas/', pathNot: '^src/areas/$1/|\\.tables\\.ts$', ...TYPES_ONLY },
    },
    {
      name: 'only-repositories-speak-sql',
      comment:
        'SQL lives where its owner is: repositories, queries and their filters, tables, the database and the ledger.',
      severity: 'error',
      from: { path: '^src/', pathNot: '^src/(db|ledger)/|\\.(repository|queries|filter|tables)\\.ts$' },
      to: { path: '(^|/)node_modules/drizzle-orm/|\\.tables\\.ts$', ...TYPES_ONLY },
    },
    {
      name: 'services-hold-no-connection',
      comment: 'A service reads through Reads and writes through transact: there is no connection to forget.',
      severity: 'error',
      from: { path: '\\.service\\.ts$' },
      to: { path: '^src/db/(?!coalesce|loader|errors)|^src/repositories\\.ts$', ...TYPES_ONLY },
    },
    {
      name: 'plugins-never-reach-the-database',
      comment: 'A handler is one call of a service.',
      severity: 'error',
      from: { path: '\\.plugin\\.ts$' },
      to: { path: '^src/db/|^src/repositories\\.ts$|\\.(repository|queries|tables)\\.ts$', ...TYPES_ONLY },
    },
    {
      name: 'only-http-plugins-break-encapsulation',
      comment: 'What an area registers stays in that area.',
      severity: 'error',
      from: { path: '^src/', pathNot: '^src/http/plugins/' },
      to: { path: '(^|/)node_modules/fastify-plugin/' },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    tsPreCompilationDeps: 'specify',
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: {
      extensions: ['.ts', '.js', '.json'],
      exportsFields: ['exports'],
      conditionNames: ['import', 'node', 'default'],
    },
  },
}
