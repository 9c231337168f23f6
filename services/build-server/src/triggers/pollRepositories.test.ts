import path from 'node:path';
import {
  openTestDatabase,
  testDatabaseClients,
} from '@slipway/service-kit/testing';
import { Bench } from '../__testUtils__/Bench.ts';
import { gitIn } from '../__testUtils__/gitIn.ts';
import { BuildClient } from '../__testUtils__/BuildClient.ts';
import { startBuildServer } from '../__testUtils__/startBuildServer.ts';
import { buildServer } from '../service.ts';

describe.each(testDatabaseClients())('polling on %s', databaseClient => {
  let bench: Bench;
  let bare: string;
  let work: string;

  const git = (...args: string[]) => gitIn(work, ...args);

  function push(branch: string): string {
    git('checkout', '--quiet', '-B', branch);
    git('commit', '--quiet', '--allow-empty', '-m', `Change ${branch}`);
    git('push', '--quiet', bare, branch);
    return git('rev-parse', 'HEAD');
  }

  beforeEach(async () => {
    bench = await Bench.open();
    work = path.join(bench.scratch, 'work');
    bare = path.join(bench.scratch, 'shop.git');
    gitIn(bench.scratch, 'init', '--quiet', '--bare', '-b', 'main', bare);
    gitIn(bench.scratch, 'init', '--quiet', '-b', 'main', work);
  });

  afterEach(() => bench.close());

  it('builds each commit once that no webhook announced, and forgets deleted branches', async () => {
    const opened = await openTestDatabase(databaseClient, buildServer);
    const main = push('main');
    const server = await startBuildServer({
      database: opened.database,
      jobs: [
        {
          name: 'shop',
          source: { repository: `file://${bare}`, branch: 'main' },
          webhook: {
            token: 'hello-webhook',
            refs: ['refs/heads/main', 'refs/heads/feature/*'],
          },
          pipelines: {},
        } as never,
        {
          name: 'broken',
          source: { repository: `file://${bare}-none` },
          pipelines: {},
        } as never,
      ],
      config: { pollSeconds: 0.2 },
    });
    const client = new BuildClient(server.url);
    const builds = async (job: string) => {
      const { status, body } = await client.get(
        `/job/${encodeURIComponent(job)}/api/json?depth=1`,
      );
      return status === 200
        ? body.builds.map(
            ({ number, revision }: { number: number; revision: string }) => [
              number,
              revision,
            ],
          )
        : [];
    };
    const has = (job: string, expected: [number, string][]) =>
      vi.waitFor(
        async () => expect(await builds(job)).toEqual(expected),
        20_000,
      );
    try {
      await has('shop/main', [[1, main]]);
      const { body } = await client.get('/job/shop%2Fmain/1/api/json');
      expect(JSON.stringify(body)).toContain('Found by polling');
      const feature = push('feature/a');
      push('other');
      await has('shop/feature/a', [[1, feature]]);
      const next = push('main');
      await has('shop/main', [
        [2, next],
        [1, main],
      ]);
      // The webhook arrived first.
      const announced = push('feature/a');
      await client.json(
        '/generic-webhook-trigger/invoke?token=test-webhook-token',
        { ref: 'refs/heads/feature/a', after: announced },
      );
      await vi.waitFor(
        async () =>
          expect((await builds('shop/feature/a'))[0]?.[1]).toBe(announced),
        20_000,
      );
      const ofFeature = await builds('shop/feature/a');
      expect(
        ofFeature.filter(([, revision]: string[]) => revision === feature),
      ).toHaveLength(1);
      git('push', '--quiet', bare, ':refs/heads/feature/a');
      await vi.waitFor(async () => {
        const { body: root } = await client.get('/api/json');
        expect(root.jobs.map(({ name }: { name: string }) => name)).toEqual([
          'broken',
          'shop',
          'shop/main',
        ]);
      }, 20_000);
    } finally {
      await server.stop();
      await opened.dispose();
    }
  });
});
