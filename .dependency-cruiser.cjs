// Who may know whom. `yarn lint` holds it; docs/architecture.md draws it.

/** Files in which a web framework or SQL may stand. */
const EDGES = [
  '/(?:plugin|router|routes|createIdeLauncher)\\.ts$',
  '/(?:Database\\w+)\\.ts$',
  '\\.test\\.ts$',
  '/ide-gateway/',
  '/http/',
  '/sqlite/',
  '/__\\w+__/',
];

/** @type {import('dependency-cruiser').IConfiguration} */
module.exports = {
  forbidden: [
    {
      name: 'no-circles',
      severity: 'error',
      from: {},
      to: { circular: true, viaOnly: { dependencyTypesNot: ['type-only'] } },
    },
    {
      name: 'services-know-packages-only',
      comment: 'Parts of the platform talk over HTTP, by the contract.',
      severity: 'error',
      from: { path: '^services/([^/]+)/' },
      to: { path: '^(?:services|plugins)/', pathNot: '^services/$1/' },
    },
    {
      name: 'plugins-meet-in-common',
      comment:
        'Front end and back end of a plugin share its -common package, plugins share nothing.',
      severity: 'error',
      from: { path: '^plugins/([^/]+)/' },
      to: { path: '^plugins/', pathNot: '^plugins/(?:$1|[^/]+-common)/' },
    },
    {
      name: 'packages-know-no-plugins',
      comment:
        'The app and the back end put plugins together; the tests drive everything.',
      severity: 'error',
      from: { path: '^packages/', pathNot: '^packages/(?:app|backend|e2e)/' },
      to: { path: '^(?:plugins|services)/' },
    },
    {
      name: 'foundations-know-nothing-of-ours',
      severity: 'error',
      from: {
        path: '^packages/(design-system|service-kit|client|egress-guard|forge-webhooks|managed-tools|dev-runner|test-postgres)/',
      },
      to: {
        path: '^packages/',
        // What goes out is guarded everywhere.
        pathNot: '^packages/(?:$1|egress-guard)/',
      },
    },
    {
      name: 'domain-knows-no-framework',
      comment: 'HTTP and SQL stay at the edges of a part.',
      severity: 'error',
      from: {
        path: '^(?:plugins/[^/]+-backend|services/[^/]+)/src/',
        pathNot: EDGES,
      },
      to: {
        path: 'node_modules/(?:express|fastify|knex|pg|better-sqlite3)/',
        dependencyTypesNot: ['type-only'],
      },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '(?:^|/)(?:dist|dist-types|node_modules/\\.cache)/' },
    tsConfig: { fileName: 'tsconfig.json' },
    tsPreCompilationDeps: 'specify',
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'require', 'node', 'default', 'types'],
      mainFields: ['main', 'types'],
    },
    cache: { folder: 'node_modules/.cache/dependency-cruiser' },
  },
};
