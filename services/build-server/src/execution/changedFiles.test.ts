import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { stringify } from 'yaml';
import { Bench } from '../__testUtils__/Bench.ts';
import { gitIn } from '../__testUtils__/gitIn.ts';
import { BuildClient } from '../__testUtils__/BuildClient.ts';
import {
  startBuildServer,
  type TestServer,
} from '../__testUtils__/startBuildServer.ts';

let bench: Bench;
let work: string;
let server: TestServer;
let client: BuildClient;

const git = (...args: string[]) => gitIn(work, ...args);

const CI = stringify({
  name: 'ci',
  steps: [
    { name: 'Cart', run: 'true', if: "changed('cart/**')", needs: [] },
    { name: 'Docs', run: 'true', if: "changed('docs/**')", needs: [] },
  ],
});

/** Commits files, and pushes them to a ref. @returns the commit. */
async function push(ref: string, ...files: string[]): Promise<string> {
  for (const file of files) {
    await mkdir(path.dirname(path.join(work, file)), { recursive: true });
    await writeFile(path.join(work, file), `${Math.random()}`);
  }
  git('add', '.');
  git('commit', '--quiet', '-m', `Change ${files}`);
  git('push', '--quiet', '--force', '../shop.git', `HEAD:${ref}`);
  return git('rev-parse', 'HEAD');
}

/** Sends an event. @returns the states of the steps, and the log. */
async function built(event: string, payload: object) {
  const { body } = await client.json(
    '/generic-webhook-trigger/invoke?token=test-webhook-token',
    payload,
    { 'x-github-event': event },
  );
  const build = await client.started(new URL(body.jobs.shop.url).pathname);
  const { steps } = await client.ended(build);
  return {
    log: await client.log(build),
    states: steps
      .slice(1)
      .map(({ state }: { state: string }) => state)
      .join(' '),
  };
}

const pushed = (before: string, after: string, ref = 'refs/heads/main') =>
  built('push', { ref, before, after });

beforeAll(async () => {
  bench = await Bench.open();
  work = path.join(bench.scratch, 'work');
  gitIn(bench.scratch, 'init', '--quiet', '-b', 'main', work);
  const bare = path.join(bench.scratch, 'shop.git');
  gitIn(bench.scratch, 'init', '--quiet', '--bare', '-b', 'main', bare);
  await mkdir(path.join(work, '.slipway'));
  await writeFile(path.join(work, '.slipway/ci.yaml'), CI);
  server = await startBuildServer({
    jobs: [
      {
        name: 'shop',
        source: { repository: `file://${bare}`, branch: 'main' },
        webhook: { token: 'hello-webhook' },
        pipelines: {},
      } as never,
    ],
  });
  client = new BuildClient(server.url);
});

afterAll(async () => {
  await server?.stop();
  await bench.close();
});

it('runs steps whose files a push or a pull request changed', async () => {
  const zeros = '0'.repeat(40);
  const first = await push('refs/heads/main', 'cart/a', 'docs/a');
  const whole = await pushed(zeros, first);
  expect(whole.states).toBe('done done');
  expect(whole.log).toContain(
    '==> All files count as changed: the previous commit of the branch is unknown',
  );
  await push('refs/heads/main', 'cart/a');
  const second = await push('refs/heads/main', 'cart/ü b');
  const cart = await pushed(first, second);
  expect(cart.states).toBe('done skipped');
  expect(cart.log).toContain(`==> 2 files changed since ${first}`);

  const before = await push('refs/heads/main', 'docs/b');
  git('checkout', '--quiet', '-b', 'feature');
  await push('refs/heads/feature', 'docs/c');
  const sha = await push('refs/pull/7/head', 'other');
  // Later changes to the base are not part of the pull request.
  git('checkout', '--quiet', 'main');
  await push('refs/heads/main', 'cart/c');
  const side = { repo: { id: 1 } };
  const request = await built('pull_request', {
    ...{ action: 'opened', number: 7 },
    pull_request: {
      number: 7,
      head: { ...side, ref: 'feature', sha },
      base: { ...side, ref: 'main' },
    },
  });
  expect(request.states).toBe('skipped done');
  expect(request.log).toContain(`==> 2 files changed since ${before}`);
});

it('runs all steps if the previous commit cannot be fetched', async () => {
  const last = git('rev-parse', 'HEAD');
  const gone = await pushed('d'.repeat(40), last);
  expect(gone.states).toBe('done done');
  expect(gone.log).toContain('==> All files count as changed: git fetch: ');
});
