import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { FlakyTestsReporter } from './packages/dev-runner/src/FlakyTestsReporter.ts';
import { compileCacheDirectory } from './packages/dev-runner/src/layout.ts';
import { longFilesFirst } from './packages/dev-runner/src/longFilesFirst.ts';
import { nodeProject } from './vitest.project.mts';

// Tests spend a third of their time waiting for processes and timers, so there are more workers than
// processors: with one per processor, a full run took a tenth longer. Set as a variable, because the
// option would not apply to projects with their own configuration.
process.env.VITEST_MAX_WORKERS ??= String(
  Math.ceil(1.5 * availableParallelism()),
);

// All workers, and the servers that tests start, load the same large packages.
process.env.NODE_COMPILE_CACHE ??= compileCacheDirectory;

class LongFilesFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]) {
    return longFilesFirst(await super.sort(files));
  }
}

const tests = (...packages: string[]) =>
  packages.map(each => `${each}/src/**/*.test.ts`);

const postgres = './packages/test-postgres/src/globalSetup.ts';
const portal = [
  'packages/{backend,portal-kit}',
  'plugins/*-{backend,common}',
  'plugins/*-module-*',
];

export default defineConfig({
  test: {
    reporters: ['default', new FlakyTestsReporter()],
    sequence: { sequencer: LongFilesFirst },
    projects: [
      nodeProject('services', {
        native: true,
        include: tests('services/*', 'packages/service-kit'),
        exclude: ['services/design-site/**'],
        globalSetup: [
          postgres,
          './services/analytics/src/__testUtils__/clickhouseSetup.ts',
        ],
      }),
      nodeProject('portal', {
        include: tests(...portal),
        globalSetup: [postgres],
      }),
      nodeProject('tools', {
        native: true,
        include: tests('packages/*'),
        exclude: tests(
          'packages/{app,app-react,design-system,service-kit}',
          ...portal,
        ),
      }),
      'packages/test-pages/vitest.config.mts',
      'services/design-site/vitest.config.mts',
    ],
  },
});
