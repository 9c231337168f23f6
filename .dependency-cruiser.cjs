// Allowed dependencies between packages. `yarn lint` enforces them;
// docs/architecture.md shows them as a diagram.

/** Files that may import a web framework. */
const HTTP_FILES = [
  '/(?:plugin|router|routes)\\.ts$',
  '\\.test\\.ts$',
  '/ide-gateway/',
  '/http/',
  '/__\\w+__/',
];

/** Storage files, which may import SQL libraries and their types. */
const STORAGE_FILES = [
  '/Database\\w+\\.ts$',
  '/(?:sql|sqlite|chdb|storage)/',
  '\\.test\\.ts$',
  '/__\\w+__/',
];

/** @type {import('dependency-cruiser').IConfiguration} */
module.exports = {
  forbidden: [
    {
      name: 'no-circles',
      severity: 'error',
      from: {},
      to: { circular: true },
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
        path: '^packages/(design-system|app-react|service-kit|portal-kit|platform-guards|entity-contract|processes|managed-tools|dev-runner|lake-cli|test-postgres)/',
        // Test helpers may be imported everywhere.
        pathNot: '\\.test\\.tsx?$|/__\\w+__/|/testing/',
      },
      to: {
        path: '^packages/',
        // The guards of egress, requests and production are used everywhere. The design system
        // defines how errors of services look. The entity contract is shared by the services
        // that report on entities and the pages that display them.
        pathNot:
          '^packages/(?:$1|platform-guards|processes|entity-contract)/|^packages/design-system/src/index\\.ts$',
      },
    },
    {
      name: 'analytics-alone-brings-tools',
      severity: 'error',
      from: { path: '^services/(?!analytics/)' },
      to: { path: '^packages/managed-tools/' },
    },
    {
      name: 'design-site-alone-shows-the-design-system',
      severity: 'error',
      from: { path: '^services/(?!design-site/)' },
      to: { path: '^packages/design-system/' },
    },
    {
      name: 'domain-knows-no-framework',
      comment: 'HTTP stays at the edge of a part. Types of it may be named.',
      severity: 'error',
      from: {
        path: '^(?:plugins/[^/]+-backend|services/[^/]+)/src/',
        pathNot: HTTP_FILES,
      },
      to: {
        path: 'node_modules/(?:express|fastify)/',
        dependencyTypesNot: ['type-only'],
      },
    },
    {
      name: 'domain-knows-no-sql',
      comment:
        'SQL stays in storage. A type of it is what a query is written with, so it counts.',
      severity: 'error',
      from: {
        path: '^(?:plugins/[^/]+-backend|services/[^/]+)/src/',
        pathNot: STORAGE_FILES,
      },
      to: { path: 'node_modules/(?:@types/)?(?:knex|pg|better-sqlite3)/' },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '(?:^|/)(?:dist|dist-types|node_modules/\\.cache)/' },
    tsConfig: { fileName: 'tsconfig.json' },
    // Type imports count too. 'specify' would also transpile each file to recognise them, which
    // `import type` makes unnecessary.
    tsPreCompilationDeps: true,
    skipAnalysisNotInRules: true,
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'require', 'node', 'default', 'types'],
      mainFields: ['main', 'types'],
    },
    cache: { folder: 'node_modules/.cache/dependency-cruiser' },
  },
};
