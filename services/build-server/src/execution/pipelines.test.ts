import { mkdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import {
  openTestDatabase,
  testDatabaseClients,
} from '@slipway/service-kit/testing';
import { stringify } from 'yaml';
import { BuildClient } from '../__testUtils__/BuildClient.ts';
import { gitIn } from '../__testUtils__/gitIn.ts';
import { Bench } from '../__testUtils__/Bench.ts';
import { isolationModes } from '../__testUtils__/isolationModes.ts';
import { sharedServer } from '../__testUtils__/sharedServer.ts';
import {
  startBuildServer,
  type TestServer,
} from '../__testUtils__/startBuildServer.ts';
import type { JobStep } from '../jobs/JobStep.ts';
import { buildServer } from '../service.ts';

const stepsOf = (build: { steps: { name: string; state: string }[] }) =>
  Object.fromEntries(build.steps.map(({ name, state }) => [name, state]));

describe.each(isolationModes)('steps with isolation %s', mode => {
  const server = sharedServer(mode);
  const jobOf = (...steps: JobStep[]) =>
    server.job({ parameters: [{ name: 'A' }], steps });

  const build = async (
    job: string,
    parameters: Record<string, string> = {},
  ) => {
    const { client } = server;
    const found = await client.build(job, parameters);
    return { found, log: await client.log(`/job/${job}/${found.number}/`) };
  };

  const meet = (mine: string, other: string) =>
    `touch ${mine}; for i in $(seq 2000); do [ -e ${other} ] && exit 0; sleep 0.05; done; exit 1`;
  const parallel = jobOf(
    { name: 'Set up', run: 'touch ready' },
    {
      name: 'One',
      run: `ls ready; ${meet('one', 'two')}`,
      needs: ['Set up'],
    },
    {
      name: 'Two',
      run: `ls ready; ${meet('two', 'one')}`,
      needs: ['Set up'],
    },
    { name: 'End', run: 'ls one two', needs: ['One', 'Two'] },
  );

  it('run in parallel, in the order of their dependencies', async () => {
    const { found, log } = await build(parallel);
    expect(found).toMatchObject({ result: 'SUCCESS' });
    expect(log).toContain('[One] ready\n');
    expect(log).toContain('[Two] ready\n');
    expect(log).toContain('[End] one\n');
  });

  const matrix = jobOf(
    {
      name: 'Test',
      matrix: { NODE: ['22', '24'], SYSTEM: ['slim', 'full'] },
      exclude: [{ NODE: '22', SYSTEM: 'full' }],
      run: 'echo "on $NODE $SYSTEM"; [ "$NODE" = 24 ]',
    },
    { name: 'End', run: 'echo never' },
  );

  it('run for every combination of a matrix', async () => {
    const { found, log } = await build(matrix);
    expect(stepsOf(found)).toEqual({
      'Test (22, slim)': 'failed',
      'Test (24, slim)': 'done',
      'Test (24, full)': 'done',
      End: 'skipped',
    });
    expect(log).toContain('[Test (24, full)] on 24 full\n');
    expect(found.reason).toBe(
      'Test (22, slim) failed: it ended with exit code 1',
    );
  });

  const always = jobOf(
    { name: 'Build', run: 'false' },
    { name: 'Clean', run: 'echo cleaned', always: true },
    { name: 'Publish', run: 'echo published' },
  );

  it('run always if configured so, without enabling later steps', async () => {
    const { found, log } = await build(always);
    expect(stepsOf(found)).toEqual({
      Build: 'failed',
      Clean: 'done',
      Publish: 'skipped',
    });
    expect(log).toContain('cleaned');
    expect(log).not.toContain('published');
  });

  const reported = (more: { timeoutSeconds?: number } = {}) =>
    server.job({
      ...more,
      steps: [
        {
          name: 'Test',
          run: `echo '<testsuite name="s"><testcase name="a"/></testsuite>' > a.xml; echo begun; sleep 60`,
        },
        { name: 'Next', run: 'echo never' },
        { name: 'Tidy', run: 'echo tidied', always: true },
      ],
      junit: ['*.xml'],
      artifacts: ['a.xml'],
    });

  it.each([
    ['stopped', reported(), 'ABORTED', 'Stopped by token:dev'],
    [
      'out of time',
      reported({ timeoutSeconds: 8 }),
      'FAILURE',
      'Timed out after 8 seconds',
    ],
  ])(
    'run always also if the build is %s, and keep its reports',
    async (how, job, result, reason) => {
      const { client } = server;
      const started = await client.started(await client.trigger(job));
      await client.logHas(started, 'begun\n');
      if (how === 'stopped') {
        await client.post(`${started}stop`);
      }
      const found = await client.ended(started);
      expect(found).toMatchObject({
        result,
        reason: expect.stringContaining(reason),
        artifacts: [{ fileName: 'a.xml' }],
      });
      expect(stepsOf(found)).toEqual({
        Test: 'failed',
        Next: 'pending',
        Tidy: 'done',
      });
      expect(await client.log(started)).toContain('tidied\n');
      const report = await client.get(`${started}testReport/api/json`);
      expect(report.body).toMatchObject({ passCount: 1 });
    },
  );

  const conditional = jobOf(
    { name: 'Deploy', run: 'echo deployed', if: "parameters.A == 'yes'" },
    { name: 'End', run: 'echo done' },
  );

  it('are left out where their condition is not met', async () => {
    const { found } = await build(conditional, { A: "no' || true || '" });
    expect(stepsOf(found)).toEqual({ Deploy: 'skipped', End: 'done' });
    expect(found.result).toBe('SUCCESS');
    const yes = await build(conditional, { A: 'yes' });
    expect(stepsOf(yes.found)).toEqual({ Deploy: 'done', End: 'done' });
  });

  const flaky = jobOf(
    { name: 'Make', run: 'mkdir sub' },
    {
      name: 'Flaky',
      workingDirectory: 'sub',
      run: 'echo try >> tries; [ $(wc -l < tries) = 3 ] || exit 7',
      retry: { times: 3, exitCodes: [7] },
    },
    {
      name: 'Broken',
      run: 'echo x >> sub/broken.count; exit 3',
      retry: { times: 3, exitCodes: [7] },
      allowFailure: true,
    },
    { name: 'Count', run: 'wc -l < sub/tries; cat sub/broken.count' },
  );

  it('run again by their rule, in the folder that they name', async () => {
    const { found, log } = await build(flaky);
    expect(stepsOf(found)).toMatchObject({
      Flaky: 'done',
      Broken: 'warning',
      Count: 'done',
    });
    expect(log).toMatch(/^3\nx\n/m);
  });
});

describe.each(testDatabaseClients())(
  'a repository with pipelines on %s',
  databaseClient => {
    let server: TestServer;
    let client: BuildClient;
    let bench: Bench;
    let work: string;
    let bare: string;
    let dispose: () => Promise<void>;

    const git = (...args: string[]) => gitIn(work, ...args);

    /** Commits files to a branch and notifies the server, like GitHub. */
    async function push(branch: string, files: Record<string, string>) {
      git('checkout', '--quiet', '-B', branch);
      for (const [name, text] of Object.entries(files)) {
        await mkdir(path.dirname(path.join(work, name)), { recursive: true });
        await writeFile(path.join(work, name), text);
      }
      git('add', '.');
      git('commit', '--quiet', '--allow-empty', '-m', `Change ${branch}`);
      git('push', '--quiet', '--force', bare, branch);
      const after = git('rev-parse', 'HEAD');
      return tell('push', { ref: `refs/heads/${branch}`, after });
    }

    async function tell(event: string, payload: object) {
      const { body } = await client.json(
        '/generic-webhook-trigger/invoke?token=test-webhook-token',
        payload,
        { 'x-github-event': event },
      );
      return body.jobs.shop;
    }

    async function built({ url }: { url: string }) {
      const build = await client.started(new URL(url).pathname);
      return { ...(await client.ended(build)), log: await client.log(build) };
    }

    const names = async () =>
      (await client.get('/api/json')).body.jobs.map(
        ({ name }: { name: string }) => name,
      );

    beforeAll(async () => {
      bench = await Bench.open();
      work = path.join(bench.scratch, 'work');
      bare = path.join(bench.scratch, 'shop.git');
      gitIn(bench.scratch, 'init', '--quiet', '--bare', '-b', 'main', bare);
      gitIn(bench.scratch, 'init', '--quiet', '-b', 'main', work);
      const opened = await openTestDatabase(databaseClient, buildServer);
      dispose = opened.dispose;
      server = await startBuildServer({
        database: opened.database,
        jobs: [
          {
            name: 'shop',
            owner: 'group:default/payments',
            source: { repository: `file://${bare}`, branch: 'main' },
            webhook: { token: 'hello-webhook' },
            pipelines: { pullRequests: 'all' },
          } as never,
        ],
        config: {
          jobsReloadSeconds: 0.2,
          stepSecrets: {
            deploy: { value: 'the-deploy-token', jobs: ['shop'] },
            other: { value: 'the-other-token', jobs: ['other'] },
          },
        },
      });
      client = new BuildClient(server.url);
    });

    afterAll(async () => {
      await server.stop();
      await dispose();
      await bench.close();
    });

    beforeEach(async () => {
      await rm(path.join(work, '.slipway'), { recursive: true, force: true });
    });

    const CI = stringify({
      name: 'ci',
      environment: { WORD: 'hello' },
      steps: [
        { name: 'Lint', run: 'echo "$WORD lint"', needs: [] },
        {
          name: 'Test',
          run: 'echo "$WORD ${TOKEN-none}"',
          needs: [],
          secrets: { TOKEN: 'deploy' },
        },
        {
          name: 'Deploy',
          run: 'echo deployed',
          needs: ['Lint', 'Test'],
          if: "branch == 'main' && !pullRequest",
        },
      ],
    });

    it('builds the steps of each commit as a job of its branch', async () => {
      const main = await built(await push('main', { '.slipway/ci.yaml': CI }));
      expect(main).toMatchObject({
        result: 'SUCCESS',
        fullDisplayName: 'shop/main #1',
      });
      expect(stepsOf(main)).toEqual({
        'Check out': 'done',
        Lint: 'done',
        Test: 'done',
        Deploy: 'done',
      });
      expect(main.log).toContain('[Test] hello ****\n');
      const other = await built(
        await push('fix/ü', {
          '.slipway/ci.yaml': CI,
          '.slipway/docs.yml': stringify({
            name: 'docs',
            steps: [{ name: 'Write', run: 'echo written' }],
          }),
        }),
      );
      expect(stepsOf(other)).toEqual({
        'Check out': 'done',
        'ci: Lint': 'done',
        'ci: Test': 'done',
        'ci: Deploy': 'skipped',
        'docs: Write': 'done',
      });
      expect(await names()).toEqual(['shop', 'shop/fix/ü', 'shop/main']);
      const { body } = await client.get('/job/shop%2Ffix%2F%C3%BC/api/json');
      expect(body).toMatchObject({
        name: 'shop/fix/ü',
        parent: 'shop',
        owner: 'group:default/payments',
        lastBuild: { number: 1 },
      });
    });

    it('builds the branch or pull request of a job that a person triggers', async () => {
      const ci = stringify({
        name: 'ci',
        steps: [
          {
            name: 'Show',
            run: 'echo "$GIT_BRANCH $GIT_COMMIT ${TOKEN-none}"',
            secrets: { TOKEN: 'deploy' },
          },
          {
            name: 'Describe',
            run: 'echo "as ${BRANCH_NAME-none} of ${CHANGE_ID-none}: ${CHANGE_BRANCH-none} to ${CHANGE_TARGET-none}"',
          },
          { name: 'Deploy', run: 'true', if: "branch == 'main'" },
        ],
      });
      await built(await push('main', { '.slipway/ci.yaml': ci }));
      const main = git('rev-parse', 'HEAD');
      await built(await push('manual', { 'a.txt': 'a' }));
      const own = git('rev-parse', 'HEAD');
      git('push', '--quiet', bare, 'HEAD:refs/pull/9/head');
      await built(
        await tell('pull_request', {
          action: 'opened',
          number: 9,
          pull_request: {
            number: 9,
            head: { ref: 'manual', sha: own, repo: null },
            base: { ref: 'main', repo: { id: 1 } },
          },
        }),
      );
      const noChange = 'of none: none to none';
      for (const [job, shown, described, deploy] of [
        [
          'shop/manual',
          `manual ${own} ****`,
          `as manual ${noChange}`,
          'skipped',
        ],
        [
          'shop/PR-9',
          `refs/pull/9/head ${own} none`,
          'as PR-9 of 9: manual to main',
          'skipped',
        ],
        ['shop', `main ${main} ****`, `as none ${noChange}`, 'done'],
      ]) {
        const started = await client.started(
          await client.trigger(encodeURIComponent(job)),
        );
        const build = await client.ended(started);
        const log = await client.log(started);
        for (const text of [shown, described]) {
          expect([job, log]).toEqual([
            job,
            expect.stringContaining(`${text}\n`),
          ]);
        }
        expect([job, stepsOf(build).Deploy]).toEqual([job, deploy]);
      }
    });

    it('removes the job of a branch with the branch, and of a pull request when it is closed', async () => {
      await built(await push('gone', { '.slipway/ci.yaml': CI }));
      const pull = (action: string) => ({
        action,
        number: 7,
        pull_request: {
          number: 7,
          head: { ref: 'gone', sha: git('rev-parse', 'HEAD'), repo: null },
          base: { ref: 'main', repo: { id: 1 } },
        },
      });
      git('push', '--quiet', bare, 'HEAD:refs/pull/7/head');
      const fork = await built(await tell('pull_request', pull('opened')));
      expect(fork.fullDisplayName).toBe('shop/PR-7 #1');
      expect(fork.log).toContain('[Test] hello none\n');
      expect(await names()).toEqual(
        expect.arrayContaining(['shop/gone', 'shop/PR-7']),
      );
      const zeros = '0'.repeat(40);
      await tell('push', {
        ref: 'refs/heads/gone',
        after: zeros,
        deleted: true,
      });
      await tell('pull_request', pull('closed'));
      const left = await names();
      expect(left).not.toContain('shop/gone');
      expect(left).not.toContain('shop/PR-7');
      // Forges link to the build of a merged request.
      const old = '/job/shop%2FPR-7';
      expect((await client.get(`${old}/api/json`)).status).toBe(404);
      expect((await client.get(`${old}/1/api/json`)).body).toMatchObject({
        ...{ number: 1, fullDisplayName: 'shop/PR-7 #1' },
      });
      expect(await client.log(`${old}/1/`)).toContain('[Test] hello none\n');
      expect((await client.post(`${old}/1/stop`)).status).toBe(302);
      expect((await client.get('/job/shop%2Fnever/1/api/json')).status).toBe(
        404,
      );
      // Numbers continue if the branch is created again.
      const again = await built(await push('gone', { '.slipway/ci.yaml': CI }));
      expect(again.number).toBe(2);
    });

    it('removes the jobs of all branches that one push of Bitbucket deletes', async () => {
      const after: Record<string, string> = {};
      for (const branch of ['one', 'two', 'kept']) {
        await built(await push(branch, { '.slipway/ci.yaml': CI }));
        after[branch] = git('rev-parse', 'HEAD');
      }
      const gone = (name: string) => ({
        old: { type: 'branch', name },
        new: null,
      });
      await client.json(
        '/generic-webhook-trigger/invoke?token=test-webhook-token',
        {
          push: {
            changes: [
              gone('one'),
              {
                new: {
                  type: 'branch',
                  name: 'kept',
                  target: { hash: after.kept },
                },
              },
              gone('two'),
            ],
          },
        },
        { 'x-event-key': 'repo:push' },
      );
      const left = await names();
      expect(left).toContain('shop/kept');
      expect(left).not.toContain('shop/one');
      expect(left).not.toContain('shop/two');
    });

    it('fails for a file with errors, and runs the others', async () => {
      const build = await built(
        await push('faulty', {
          '.slipway/ci.yaml': CI,
          '.slipway/x.yaml':
            'name: x\nsteps:\n  - name: A\n    run: env\n    secrets: { T: other }\n',
        }),
      );
      expect(build).toMatchObject({
        result: 'FAILURE',
        reason:
          '.slipway/x.yaml line 2, column 1: steps: buildServer.stepSecrets.other.jobs does not name shop',
      });
      expect(stepsOf(build)).toMatchObject({
        '.slipway/x.yaml': 'failed',
        'ci: Lint': 'done',
      });
      const more = await built(
        await push('more', {
          '.slipway/x.yaml':
            'name: x\nstep: 1\nsteps:\n  - name: A\n    run: "true"\n    needs: [B]\n  - name: C\n    run: "true"\n    if: brunch == 1\n    colour: red\n',
        }),
      );
      expect(more.reason).toBe(
        '.slipway/x.yaml line 2, column 1: step is not a known key (and 3 more faults)',
      );
      expect(more.pipelineFaults).toEqual([
        {
          file: '.slipway/x.yaml',
          ...{ line: 2, column: 1, message: 'step is not a known key' },
        },
        expect.objectContaining({ line: 6, column: 13 }),
        expect.objectContaining({ line: 9, column: 5 }),
        expect.objectContaining({
          ...{ line: 10, column: 5 },
          message: 'steps.1.colour is not a known key',
        }),
      ]);
      git('rm', '-r', '--quiet', '.slipway');
      const none = await built(await push('none', {}));
      expect(none.reason).toBe('The commit has no .slipway/*.yaml');
    });
  },
);
