import path from 'node:path';
import {
  openTestDatabase,
  testDatabaseClients,
} from '@slipway/service-kit/testing';
import { Bench } from '../__testUtils__/Bench.ts';
import { BuildClient } from '../__testUtils__/BuildClient.ts';
import { gitIn } from '../__testUtils__/gitIn.ts';
import {
  startBuildServer,
  type TestServer,
} from '../__testUtils__/startBuildServer.ts';
import { buildServer } from '../service.ts';

const INVOKE = '/generic-webhook-trigger/invoke?token=test-webhook-token';

describe.each(testDatabaseClients())('[skip ci] on %s', databaseClient => {
  let bench: Bench;
  let bare: string;
  let opened: Awaited<ReturnType<typeof openTestDatabase>>;
  let server: TestServer;
  let client: BuildClient;

  const git = (...args: string[]) =>
    gitIn(path.join(bench.scratch, 'work'), ...args);

  /** Commits, and pushes the commit. @returns its id. */
  function push(ref: string, message: string): string {
    git('commit', '--quiet', '--allow-empty', '-m', message);
    git('push', '--quiet', '--force', bare, `HEAD:${ref}`);
    return git('rev-parse', 'HEAD');
  }

  async function start(config: Record<string, unknown> = {}): Promise<void> {
    server = await startBuildServer({
      database: opened.database,
      jobs: [
        {
          name: 'shop',
          source: { repository: `file://${bare}`, branch: 'main' },
          webhook: { token: 'hello-webhook' },
          pipelines: { pullRequests: 'all' },
        } as never,
      ],
      config,
    });
    client = new BuildClient(server.url);
  }

  /** Returns the commits that a job has built, newest first. */
  async function built(job: string): Promise<string[]> {
    const { status, body } = await client.get(
      `/job/${encodeURIComponent(job)}/api/json?depth=1`,
    );
    return status === 200
      ? body.builds.map(({ revision }: { revision: string }) => revision)
      : [];
  }

  async function skippedOf(job: string): Promise<unknown> {
    const { body } = await client.get(
      `/job/${encodeURIComponent(job)}/api/json`,
    );
    return body?.skipped;
  }

  const becomes = (job: string, expected: string[]) =>
    vi.waitFor(async () => expect(await built(job)).toEqual(expected), 20_000);

  beforeEach(async () => {
    bench = await Bench.open();
    bare = path.join(bench.scratch, 'shop.git');
    gitIn(bench.scratch, 'init', '--quiet', '--bare', '-b', 'main', bare);
    gitIn(bench.scratch, 'init', '--quiet', '-b', 'main', 'work');
    opened = await openTestDatabase(databaseClient, buildServer);
  });

  afterEach(async () => {
    await server.stop();
    await opened.dispose();
    await bench.close();
  });

  it('keeps polling from building a commit, until the next one', async () => {
    const silent = push('refs/heads/main', 'Fix a typo\n\n[CI skip]');
    push('refs/heads/other', 'Change');
    await start({ pollSeconds: 0.2 });
    await vi.waitFor(
      async () =>
        expect(await skippedOf('shop/main')).toEqual({
          commit: silent,
          title: 'Fix a typo',
          ref: 'refs/heads/main',
          at: expect.any(Number),
        }),
      20_000,
    );
    await vi.waitFor(
      async () => expect(await built('shop/other')).toHaveLength(1),
      20_000,
    );
    expect(await built('shop/main')).toEqual([]);
    // Only the head counts.
    push('refs/heads/main', 'Fix another [skip ci]');
    const last = push('refs/heads/main', 'Change main');
    await becomes('shop/main', [last]);
    expect(await skippedOf('shop/main')).toBeNull();
    // Whoever runs the job builds it nevertheless.
    const again = push('refs/heads/main', '[skip ci] Change');
    await vi.waitFor(
      async () =>
        expect(await skippedOf('shop/main')).toMatchObject({ commit: again }),
      20_000,
    );
    expect((await client.post('/job/shop%2Fmain/build')).status).toBe(201);
    await becomes('shop/main', [again, last]);
    expect(await skippedOf('shop/main')).toBeNull();
  });

  it('keeps a push from being built, also by later polls', async () => {
    const silent = push('refs/heads/main', 'Change [skip ci]');
    await start();
    const announce = (after: string, message: string, ref: string) =>
      client.json(INVOKE, {
        ...{ ref, after },
        commits: [
          { id: 'b'.repeat(40), message: 'Before [skip ci]' },
          { id: after, message },
        ],
      });
    const { body } = await announce(
      silent,
      'Change [skip ci]',
      'refs/heads/main',
    );
    expect(body.jobs.shop).toEqual({
      triggered: false,
      url: '',
      buildNumber: 0,
      reason: `Skipped: the message of ${silent.slice(0, 10)} says [skip ci]`,
    });
    expect(await skippedOf('shop/main')).toMatchObject({
      commit: silent,
      title: 'Change [skip ci]',
    });
    const { body: root } = await client.get('/api/json');
    expect(
      root.jobs.find(({ name }: { name: string }) => name === 'shop/main'),
    ).toMatchObject({ skipped: { commit: silent } });
    await server.stop();
    await start({ pollSeconds: 0.2 });
    const other = push('refs/heads/other', 'Change');
    await becomes('shop/other', [other]);
    expect(await built('shop/main')).toEqual([]);
    // Only the head counts.
    const next = push('refs/heads/next', 'Change');
    expect(
      (await announce(next, 'Change', 'refs/heads/next')).body.jobs.shop
        .triggered,
    ).toBe(true);
    // Tags are built.
    git('push', '--quiet', bare, `${silent}:refs/tags/v1`);
    expect(
      (await announce(silent, 'Change [skip ci]', 'refs/tags/v1')).body.jobs
        .shop.triggered,
    ).toBe(true);
  });

  it('counts in pull requests, unless they come from forks', async () => {
    const request = async (number: number, head: string, isFork = false) => {
      const { body } = await client.json(
        INVOKE,
        {
          ...{ action: 'synchronize', number },
          repository: { full_name: 'shop/shop' },
          pull_request: {
            number,
            head: { sha: head, ref: 'fix', repo: { id: isFork ? 2 : 1 } },
            base: { ref: 'main', repo: { id: 1 } },
            user: { login: 'ada' },
          },
        },
        { 'x-github-event': 'pull_request' },
      );
      return body.jobs.shop;
    };
    await start();
    const silent = push('refs/pull/7/head', 'Change [skip ci]');
    expect(await request(7, silent)).toMatchObject({
      triggered: false,
      reason: expect.stringMatching(/^Skipped: /),
    });
    const loud = push('refs/pull/7/head', 'Change');
    // The newer commit has its own event.
    expect((await request(7, silent)).triggered).toBe(false);
    expect((await request(7, loud)).triggered).toBe(true);
    const ofFork = push('refs/pull/8/head', 'Change [skip ci]');
    expect((await request(8, ofFork, true)).triggered).toBe(true);
    // A commit whose message cannot be read is built.
    expect((await request(9, ofFork)).triggered).toBe(true);
  });
});
