// What may import what. Each rule is proved on a planted violation in test/architecture.test.ts.
const TYPES_ONLY = { dependencyTypesNot: ['type-only'] }

// Routes belong to what they show, and so may lie in any folder: they are of the row of the areas.
const ROUTE = '\\.(plugin|schemas|server)\\.ts$'

// From the inside out: a folder may import those of its own row and of the rows before it.
const ROWS = [
  '^src/domain/',
  '^src/(errors|clock|ids|each-apart|config|config/[^/]+|data-folder|kept-secret|database-url|tracing|version|signal|address-list|public-address|recent-proof|html|qr-code|packages-on-demand|password-strength)\\.ts$',
  '^src/db/',
  '^src/(ledger|events|audit|idempotency|daily-totals)/',
  '^src/(providers|outbound|crypto|storage|logging|telemetry|rate-limits)/',
  '^src/http/',
  `^src/(areas|webhooks|mail)/|^src/(?!http/|checkout/).*${ROUTE}`,
  '^src/repositories\\.ts$',
  '^src/(checkout|jobs)/',
  '^src/compose(\\.ts$|/)',
  '^src/app\\.ts$',
  '^src/start/',
  '^src/(server|worker)\\.ts$',
]
const AREAS = ROWS.findIndex((path) => path.includes('areas'))

const REPOSITORIES = '^src/repositories\\.ts$'

const onlyInwards = ROWS.slice(0, -1).flatMap((path, index) => {
  const rule = {
    name: 'imports-go-one-way',
    comment: 'A file imports from its own row or from further inside, so that the inside can be read alone.',
    severity: 'error',
    from: index < AREAS ? { path, pathNot: `^src/(?!http/).*${ROUTE}` } : { path },
  }
  const further = ROWS.slice(index + 1).join('|')
  return [
    { ...rule, to: { path: further, pathNot: REPOSITORIES } },
    // Services know the repositories that they are handed by type.
    ...(new RegExp(further).test('src/repositories.ts')
      ? [{ ...rule, to: { path: REPOSITORIES, ...TYPES_ONLY } }]
      : []),
  ]
})

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
      name: 'simulators-stand-alone',
      comment: 'A simulator shares the pure domain with the platform and nothing else, and the platform knows none.',
      severity: 'error',
      from: { path: '^simulators/' },
      to: { path: '^src/', pathNot: '^src/domain/' },
    },
    {
      name: 'simulators-stand-alone',
      comment: 'What runs in production is tested against simulators and never uses one.',
      severity: 'error',
      from: { path: '^src/' },
      to: { path: '^simulators/' },
    },
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
      name: 'areas-meet-only-by-type',
      comment: 'What sellers see of webhooks and the engine that delivers them are two. How a webhook looks is shared.',
      severity: 'error',
      from: { path: '^src/webhooks/(api|engine)/' },
      to: { path: '^src/webhooks/(api|engine)/', pathNot: '^src/webhooks/$1/|\\.view\\.ts$', ...TYPES_ONLY },
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
      to: { path: '^src/db/(?!coalesce|loader|errors|page\\.)|^src/repositories\\.ts$', ...TYPES_ONLY },
    },
    {
      name: 'plugins-never-reach-the-database',
      comment: 'A handler is one call of a service.',
      severity: 'error',
      from: { path: '\\.plugin\\.ts$' },
      to: { path: '^src/db/|^src/repositories\\.ts$|\\.(repository|queries|tables)\\.ts$', ...TYPES_ONLY },
    },
    {
      name: 'only-routes-speak-http',
      comment: 'Services, repositories and jobs know nothing of requests and answers.',
      severity: 'error',
      from: {
        path: '^src/',
        pathNot: `^src/http/|^src/app\\.ts$|^src/checkout/checkout\\.assets\\.ts$|${ROUTE}`,
      },
      to: { path: '^src/http/' },
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
