import { NotFoundError, type ServiceApp } from '@slipway/service-kit';
import type { Permissions } from '../access/Permissions.ts';
import type { BuildLookup } from '../jenkins/BuildLookup.ts';
import { BuildParams, JobParams } from '../jenkins/schemas.ts';
import type { JobCatalog } from '../jobs/JobCatalog.ts';
import type { TestStore } from '../storage/TestStore.ts';
import {
  FlakyAnswer,
  HistoryAnswer,
  TestParams,
  TestsAnswer,
  TestsQuery,
} from './schemas.ts';

const WINDOW_MS = 14 * 86_400_000;
const FLAKY_TESTS = 100;
const RUNS = 50;

/** Registers the routes for the tests of a build and their history. */
export function testRoutes(
  app: ServiceApp,
  options: {
    permissions: Permissions;
    jobs: JobCatalog;
    lookup: BuildLookup;
    tests: TestStore;
    now: () => number;
  },
): void {
  const { permissions, jobs, lookup, tests, now } = options;
  const config = { access: permissions.read };

  app.get(
    '/job/:job/:build/tests',
    {
      config,
      schema: {
        tags: ['tests'],
        summary: 'List the tests of a build, those that failed first',
        params: BuildParams,
        querystring: TestsQuery,
        response: { 200: TestsAnswer },
      },
    },
    async ({ params, query }) => {
      const build = await lookup.build(params);
      const { total, failed, skipped, failures } = build.tests ?? {
        ...{ total: 0, failed: 0, skipped: 0, failures: [] },
      };
      const all = (await tests.listOf(build.id)).filter(
        ({ outcome }) =>
          query.outcome === undefined || outcome === query.outcome,
      );
      const page = all.slice(query.offset, query.offset + query.limit);
      const ids = page.map(({ id }) => id);
      const since = now() - WINDOW_MS;
      const [flaky, before, counts] = await Promise.all([
        tests.listFlaky(build.job, { since, limit: Infinity }),
        tests.outcomesBefore(build.job, build, ids),
        tests.countFailures(build.job, ids, since),
      ]);
      const flakyIds = new Set(flaky.map(({ id }) => id));
      return {
        ...{ total, failed, skipped },
        listed: all.length,
        tests: page.map(test => ({
          ...test,
          message:
            failures.find(
              ({ suite, name }) => suite === test.suite && name === test.name,
            )?.message ?? null,
          isNew:
            test.outcome === 'failed' &&
            before.size > 0 &&
            before.get(test.id) !== 'failed',
          isFlaky: test.outcome === 'flaky' || flakyIds.has(test.id),
          failures: counts.get(test.id) ?? 0,
        })),
      };
    },
  );

  app.get(
    '/job/:job/tests/flaky',
    {
      config,
      schema: {
        tags: ['tests'],
        summary: 'List the flaky tests of a job and its branches',
        params: JobParams,
        response: { 200: FlakyAnswer },
      },
    },
    async ({ params }) => ({
      tests: await tests.listFlaky(jobs.get(params.job).name, {
        since: now() - WINDOW_MS,
        limit: FLAKY_TESTS,
      }),
    }),
  );

  app.get(
    '/job/:job/tests/:test',
    {
      config,
      schema: {
        tags: ['tests'],
        summary: 'Get the outcomes of a test in the newest builds',
        params: TestParams,
        response: { 200: HistoryAnswer },
      },
    },
    async ({ params }) => {
      const { name } = jobs.get(params.job);
      const history = await tests.historyOf(name, params.test, RUNS);
      if (!history) {
        throw new NotFoundError(`${name} has no test ${params.test}`);
      }
      return history;
    },
  );
}
