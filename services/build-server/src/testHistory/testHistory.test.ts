import {
  openTestDatabase,
  testDatabaseClients,
} from '@slipway/service-kit/testing';
import { BuildClient } from '../__testUtils__/BuildClient.ts';
import {
  startBuildServer,
  type TestServer,
} from '../__testUtils__/startBuildServer.ts';
import { buildServer } from '../service.ts';

const REPORT = `
  mkdir -p reports
  one() { if [ "$ONE" = passes ]; then echo '<testcase classname="cart" name="adds" time="0.25"/>'; else echo '<testcase classname="cart" name="adds" time="1,000.5"><failure>got 2</failure></testcase>'; fi; }
  echo "<testsuite name='s'>$(one)<testcase classname='cart' name='removes' time='2'><flakyFailure/></testcase><testcase classname='cart' name='ships'><skipped/></testcase></testsuite>" > reports/t.xml
`;

describe.each(testDatabaseClients())(
  'the history of tests on %s',
  databaseClient => {
    let server: TestServer;
    let dispose: () => Promise<void>;
    let dev: BuildClient;

    beforeAll(async () => {
      const opened = await openTestDatabase(databaseClient, buildServer);
      ({ dispose } = opened);
      server = await startBuildServer({
        database: opened.database,
        jobs: [
          {
            name: 'shop',
            webhook: { token: 'hello-webhook' },
            parameters: [{ name: 'ONE', payload: 'one', default: 'passes' }],
            junit: ['reports/*.xml'],
            steps: [{ name: 'Test', run: REPORT }],
            discardOldBuilds: { keepBuilds: 5 },
          },
          { name: 'plain', steps: [{ name: 'Say', run: 'echo' }] },
        ],
      });
      dev = new BuildClient(server.url);
    });

    afterAll(async () => {
      await server.stop();
      await dispose();
    });

    async function push(sha: string, one: string): Promise<void> {
      const { body } = await dev.json(
        '/generic-webhook-trigger/invoke?token=test-webhook-token',
        { ref: 'refs/heads/main', after: sha.repeat(40), one },
      );
      await dev.ended(await dev.started(new URL(body.jobs.shop.url).pathname));
    }

    it('reports new failures, flaky tests, and their history', async () => {
      await push('a', 'passes');
      await push('b', 'fails');
      await push('b', 'passes');
      await push('c', 'fails');
      const { body } = await dev.get('/job/shop/4/tests');
      expect(body).toMatchObject({
        total: 3,
        failed: 1,
        skipped: 1,
        listed: 3,
        tests: [
          {
            suite: 'cart',
            name: 'adds',
            outcome: 'failed',
            durationMs: 1_000_500,
            message: 'got 2',
            isNew: true,
            isFlaky: true,
            failures: 2,
          },
          { name: 'removes', outcome: 'flaky', durationMs: 2_000 },
          { name: 'ships', outcome: 'skipped', isFlaky: false, isNew: false },
        ],
      });
      const [{ id }] = body.tests;
      expect((await dev.get(`/job/shop/tests/${id}`)).body).toMatchObject({
        name: 'adds',
        runs: [
          { number: 4, outcome: 'failed', sha: 'c'.repeat(40) },
          { number: 3, outcome: 'passed' },
          { number: 2, outcome: 'failed' },
          { number: 1, outcome: 'passed', durationMs: 250 },
        ],
      });
      expect((await dev.get('/job/shop/tests/flaky')).body.tests).toMatchObject(
        [
          { name: 'removes', commits: 3 },
          { name: 'adds', commits: 1 },
        ],
      );
      const failed = await dev.get('/job/shop/4/tests?outcome=failed&limit=1');
      expect(failed.body).toMatchObject({ listed: 1, tests: [{ id }] });
    });

    it('is deleted with the builds', async () => {
      await push('d', 'passes');
      await push('e', 'passes');
      const { body } = await dev.get('/job/shop/6/tests?outcome=passed');
      const [{ id }] = body.tests;
      await vi.waitFor(async () => {
        const history = await dev.get(`/job/shop/tests/${id}`);
        expect(history.body.runs.at(-1).number).toBe(2);
      });
    });

    it('returns nothing for builds without reports, and rejects invalid reports', async () => {
      await dev.build('plain');
      expect((await dev.get('/job/plain/1/tests')).body).toEqual({
        ...{ total: 0, failed: 0, skipped: 0, listed: 0, tests: [] },
      });
      expect((await dev.get('/job/plain/tests/flaky')).body.tests).toEqual([]);
      const none = `/job/plain/tests/${'0'.repeat(32)}`;
      for (const [path, status] of [
        [none, 404],
        ['/job/plain/tests/x', 404],
        ['/job/none/1/tests', 404],
        ['/job/shop/1/tests?limit=0', 400],
      ] as const) {
        expect([path, (await dev.get(path)).status]).toEqual([path, status]);
      }
      const nobody = new BuildClient(server.url, null);
      expect((await nobody.get('/job/shop/4/tests')).status).toBe(401);
    });
  },
);
