import { Bench } from '../__testUtils__/Bench.ts';
import type { BuildClient } from '../__testUtils__/BuildClient.ts';
import { isolationModes } from '../__testUtils__/isolationModes.ts';
import { startAgent, type TestAgent } from '../__testUtils__/startAgent.ts';
import { TRIGGER_TOKEN } from '../__testUtils__/startBuildServer.ts';
import type { Job } from '../jobs/Job.ts';

const ADMIN = {
  auth: {
    users: [
      { name: 'dev', key: TRIGGER_TOKEN, scopes: ['read', 'trigger', 'admin'] },
    ],
  },
};
const WAYS = [...isolationModes, 'an agent'];

describe.each(WAYS)('what builds share, with %s', way => {
  const isAgent = way === 'an agent';
  let bench: Bench;
  let agent: TestAgent | undefined;

  beforeEach(async () => {
    bench = await Bench.open(isAgent ? 'unsafe-none' : way);
  });

  afterEach(async () => {
    await agent?.stop();
    agent = undefined;
    await bench.close();
  });

  async function serve(
    jobs: readonly Job[],
    config: Record<string, unknown> = {},
  ): Promise<BuildClient> {
    const client = await bench.start(jobs, {
      ...ADMIN,
      ...(isAgent && { executors: 0 }),
      ...config,
    });
    agent = isAgent ? await startAgent(client) : undefined;
    return client;
  }

  it('are caches, whose key is that of files, and which a pull request cannot write for others', async () => {
    const client = await serve([
      {
        name: 'job',
        webhook: {
          token: 'hello-webhook',
          refs: ['refs/heads/*', 'refs/pull/**'],
        },
        parameters: [{ name: 'LOCK', payload: 'lock', default: '1' }],
        steps: [
          {
            name: 'Use',
            run: 'cat store/it "$HOME/.store/it" 2>/dev/null || echo nothing; mkdir -p store "$HOME/.store"; echo "of $GIT_REF" > store/it; echo home > "$HOME/.store/it"',
          },
        ],
        cache: [{ name: 'store', paths: ['store', '~/.store', 'none'] }],
      },
    ]);
    const push = async (payload: object, event = 'push') => {
      const { body } = await client.json(
        '/generic-webhook-trigger/invoke?token=test-webhook-token',
        payload,
        { 'x-github-event': event },
      );
      const item = new URL(body.jobs.job.url).pathname;
      const path = await client.started(item);
      expect(await client.ended(path)).toMatchObject({ result: 'SUCCESS' });
      return client.log(path);
    };
    const request = {
      action: 'opened',
      number: 7,
      repository: { id: 1, clone_url: 'https://forge.test/a/b.git' },
      pull_request: {
        head: { sha: 'a'.repeat(40), ref: 'fix', repo: { id: 2 } },
        base: { ref: 'other', repo: { id: 1 } },
      },
    };
    const none = await push(request, 'pull_request');
    expect(none).toContain('Cache store: there is none yet');
    expect(none).toContain('nothing\n');
    expect(none).toContain('Cache store: saved');
    const again = await push(request, 'pull_request');
    expect(again).toContain('Cache store: restored\n');
    expect(again).toContain('of refs/pull/7/head\nhome\n');
    expect(again).not.toContain('saved');
    // A cache of a pull request is only available to that pull request.
    expect(await client.build('job')).toMatchObject({ result: 'SUCCESS' });
    expect(await client.log('/job/job/3/')).toContain('nothing\n');
    // A branch reads the caches of the job's own builds, and writes its own.
    const branch = await push({
      ref: 'refs/heads/fix',
      after: 'b'.repeat(40),
    });
    expect(branch).toContain('Cache store: restored\n');
    expect(branch).toContain('of \nhome');
  });

  it('are limited: a cache that is too large is not stored, and fails nothing', async () => {
    const client = await serve(
      [
        {
          name: 'job',
          steps: [{ name: 'Fill', run: 'head -c 9000 /dev/urandom > it' }],
          cache: [
            { name: 'large', paths: ['it'] },
            { name: 'empty', paths: ['none'] },
          ],
        },
      ],
      { caches: { maxBytes: 5_000 } },
    );
    expect(await client.build('job')).toMatchObject({ result: 'SUCCESS' });
    const log = await client.log('/job/job/1/');
    expect(log).toContain('Cache large: it is larger than 5000 bytes');
    expect(log).toContain('Cache empty: not saved, none of none is there');
  });

  it('are artifacts of the build that set them off', async () => {
    const client = await serve([
      {
        name: 'lib',
        parameters: [{ name: 'V', default: '1' }],
        steps: [
          {
            name: 'Make',
            run: 'mkdir -p dist; echo "lib $V" > dist/a.txt; echo b > dist/b.txt',
          },
        ],
        artifacts: ['dist/*'],
      },
      {
        name: 'app',
        parameters: [{ name: 'V', default: '0' }],
        after: [{ job: 'lib' }],
        artifactsFrom: [{ job: 'lib', files: ['dist/a.*'], to: 'vendor' }],
        steps: [
          {
            name: 'Use',
            run: 'cat vendor/dist/a.txt; ls vendor/dist; echo "V=$V"',
          },
        ],
      },
    ]);
    expect(await client.build('app')).toMatchObject({
      result: 'FAILURE',
      reason: 'Artifacts are missing: lib has no successful build',
    });
    await client.build('lib', { V: '2' });
    const app = await vi.waitFor(
      async () => {
        const { status, body } = await client.get('/job/app/2/api/json');
        expect([status, body?.building]).toEqual([200, false]);
        return body;
      },
      { timeout: 10_000, interval: 50 },
    );
    expect(app).toMatchObject({
      result: 'SUCCESS',
      cause: 'Triggered by lib #1',
      actions: [
        {
          causes: [
            {
              _class: 'hudson.model.Cause$UpstreamCause',
              upstreamProject: 'lib',
              upstreamBuild: 1,
            },
          ],
        },
        {},
      ],
    });
    expect(await client.log('/job/app/2/')).toContain('lib 2\na.txt\nV=2\n');
  });

  it('are services, which are ready before the first step and end with the last', async () => {
    const { scratch } = bench;
    const client = await serve([
      {
        name: 'job',
        services: [
          {
            name: 'db',
            run: 'sleep 0.3; echo up > "$HOME/ready"; echo listening as $ROLE; sleep 100',
            environment: { ROLE: 'main' },
            ready: 'test -e "$HOME/ready"',
          },
        ],
        steps: [{ name: 'Use', run: 'cat "$HOME/ready"' }],
      },
      {
        name: 'broken',
        services: [{ name: 'db', run: 'echo no; exit 3', ready: 'false' }],
        steps: [{ name: 'Use', run: 'echo never' }],
      },
      {
        name: 'slow',
        services: [
          { name: 'db', run: 'sleep 100', ready: 'false', readySeconds: 1 },
        ],
        steps: [{ name: 'Use', run: 'echo never' }],
      },
    ]);
    expect(scratch).not.toBe('');
    expect(await client.build('job')).toMatchObject({ result: 'SUCCESS' });
    const log = await client.log('/job/job/1/');
    expect(log).toContain('[db] listening as main\n');
    expect(log).toContain('==> Service db is ready\n');
    expect(log).toContain('up\n');
    expect(await client.build('broken')).toMatchObject({
      result: 'FAILURE',
      reason: 'Service db: it ended with exit code 3',
      steps: [{ state: 'pending' }],
    });
    expect(await client.build('slow')).toMatchObject({
      reason: 'Service db: it was not ready within 1 seconds',
    });
  });
});
