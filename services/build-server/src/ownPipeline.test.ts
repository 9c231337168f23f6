import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import {
  chmod,
  mkdir,
  mkdtemp,
  readFile,
  rm,
  writeFile,
} from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { parse, stringify } from 'yaml';
import { BuildClient } from './__testUtils__/BuildClient.ts';
import { serveGit } from './__testUtils__/serveGit.ts';
import { startBuildServer } from './__testUtils__/startBuildServer.ts';
import { lint } from './cli/lint.ts';
import type { Job } from './jobs/Job.ts';

const ROOT = path.resolve(import.meta.dirname, '../../..');
const FILE = '.slipway/build.yaml';

let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'own-pipeline-'));
});

afterEach(() => rm(folder, { recursive: true, force: true }));

/** Runs git asynchronously, because this process serves its requests. */
const git = async (cwd: string, ...args: string[]): Promise<string> => {
  const { stdout } = await promisify(execFile)(
    'git',
    ['-c', 'user.name=Ada', '-c', 'user.email=a@b', ...args],
    { cwd, timeout: 20_000 },
  );
  return stdout.trim();
};

it('has no errors', async () => {
  const written: string[] = [];
  const write = (line: string) => written.push(line);
  expect(await lint(['build', 'lint'], { cwd: ROOT, write })).toBe(0);
  expect(written).toEqual(['1 file, 0 with faults\n']);
});

/** Starts a receiver of JSON that rejects bodies in which `check` finds an error. */
async function receive(
  check: (request: {
    url: string;
    headers: NodeJS.Dict<string | string[]>;
    // eslint-disable-next-line @typescript-eslint/no-explicit-any -- whatever was sent
    body: any;
  }) => string | undefined,
) {
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- whatever was sent
  const taken: any[] = [];
  const refused: string[] = [];
  const server = createServer(async (request, response) => {
    const body = JSON.parse(await text(request));
    const { url = '', headers } = request;
    const fault = check({ url, headers, body });
    if (fault === undefined) {
      taken.push(body);
      response.writeHead(201).end('{}');
    } else {
      refused.push(fault);
      response.writeHead(422).end();
    }
  }).listen(0, '127.0.0.1');
  await new Promise(resolve => {
    server.once('listening', resolve);
  });
  const { port } = server.address() as AddressInfo;
  return { server, taken, refused, url: `http://127.0.0.1:${port}` };
}

/**
 * Returns the repository's own pipeline, in which only the release step runs the script of its
 * file.
 */
async function rehearsal(): Promise<object> {
  const own = parse(await readFile(path.join(ROOT, FILE), 'utf8')) as Job;
  const scripts: Record<string, string | undefined> = {
    Test: 'mkdir -p reports; echo "<testsuite><testcase name=\'one\'/></testsuite>" > reports/one.xml',
    Release: own.steps.find(({ name }) => name === 'Release')?.run,
  };
  const steps = own.steps.map(step => ({
    ...step,
    run:
      scripts[step.name] ??
      `echo "runs ${step.name}"; mkdir -p "$HOME/.yarn/berry/cache"`,
  }));
  return { ...own, steps };
}

it('is run by a push to a repository, and reported to forge and lake', async () => {
  const bare = path.join(folder, 'git/shop/slipway.git');
  await mkdir(bare, { recursive: true });
  await git(bare, 'init', '--quiet', '--bare', '-b', 'main');
  await git(bare, 'config', 'http.receivepack', 'true');
  const host = await serveGit(path.join(folder, 'git'));
  const forge = await receive(({ url, headers, body }) =>
    [
      !/^\/repos\/shop\/slipway\/statuses\/[0-9a-f]{40}$/.test(url) && url,
      headers.authorization !== 'token forge-token' && 'credential',
      !['pending', 'success', 'failure', 'error', 'warning'].includes(
        body.state,
      ) && 'state',
      body.context !== 'slipway/slipway' && body.context,
      !URL.canParse(body.target_url) && 'target',
    ].find(Boolean),
  );
  const lake = await receive(({ url, headers, body }) =>
    [
      url !== '/api/delivery-lake/events' && url,
      headers.authorization !== 'Bearer a-service-token' && 'credential',
      body.specversion !== '1.0' && 'version',
      !/^dev\.cdevents\.(pipelinerun\.finished|service\.deployed)\./.test(
        body.type,
      ) && body.type,
      !URL.canParse(body.data.customData.url) && 'url',
    ].find(Boolean),
  );
  const server = await startBuildServer({
    jobs: [
      {
        name: 'slipway',
        source: { repository: `${host.url}/shop/slipway.git`, branch: 'main' },
        webhook: { token: 'hello-webhook' },
        pipelines: {},
        deployment: {
          service: 'slipway',
          environment: 'production',
          step: 'Release',
        },
        steps: undefined as never,
      },
    ],
    config: {
      git: { protocols: ['http'] },
      portal: { baseUrl: lake.url, appUrl: 'http://portal' },
      portalToken: 'a-service-token',
      forges: {
        ours: {
          kind: 'gitea',
          url: host.url,
          apiUrl: forge.url,
          token: 'forge-token',
        },
      },
    },
  });
  try {
    // A forge sends its webhook after it has received the push.
    const hook = path.join(bare, 'hooks/post-receive');
    await writeFile(
      hook,
      `#!/bin/sh
while read -r before after ref; do
  curl -sS -m 10 '${server.url}/generic-webhook-trigger/invoke?token=test-webhook-token' \\
    -H 'content-type: application/json' -H 'x-gitea-event: push' \\
    -d "{\\"ref\\":\\"$ref\\",\\"before\\":\\"$before\\",\\"after\\":\\"$after\\",\\"repository\\":{\\"full_name\\":\\"shop/slipway\\"},\\"pusher\\":{\\"login\\":\\"ada\\"}}"
done
`,
    );
    await chmod(hook, 0o755);
    const work = path.join(folder, 'work');
    await git(folder, 'init', '--quiet', '-b', 'main', work);
    await mkdir(path.join(work, '.slipway'));
    await writeFile(path.join(work, FILE), stringify(await rehearsal()));
    await writeFile(path.join(work, 'yarn.lock'), '');
    await git(work, 'add', '.');
    await git(work, 'commit', '--quiet', '-m', 'Build yourself');
    await git(work, 'push', '--quiet', `${host.url}/shop/slipway.git`, 'main');
    const sha = await git(work, 'rev-parse', 'HEAD');

    const dev = new BuildClient(server.url);
    const page = '/job/slipway%2Fmain/1/';
    const build = await vi.waitFor(
      async () => {
        const { status, body } = await dev.get(`${page}api/json`);
        expect([status, body?.building]).toEqual([200, false]);
        return body;
      },
      { timeout: 20_000, interval: 50 },
    );
    expect(build).toMatchObject({
      result: 'SUCCESS',
      revision: sha,
      tests: { total: 1, failed: 0 },
      artifacts: [{ relativePath: 'release.tar.gz' }],
    });
    const states = Object.fromEntries(
      build.steps.map((step: { name: string; state: string }) => [
        step.name,
        step.state,
      ]),
    );
    expect(states).toEqual({
      'Check out': 'done',
      Install: 'done',
      Lint: 'done',
      Typecheck: 'done',
      Test: 'done',
      Release: 'done',
    });
    await vi.waitFor(
      () => {
        expect(forge.taken.at(-1)).toMatchObject({ state: 'success' });
        expect(lake.taken.map(({ type }) => type.split('.')[2])).toEqual(
          expect.arrayContaining(['pipelinerun', 'service']),
        );
      },
      { timeout: 20_000, interval: 50 },
    );
    expect(
      lake.taken.find(({ type }) => type.includes('service.deployed')).data
        .customData,
    ).toMatchObject({ service: 'slipway', environment: 'production', sha });

    // Another branch is built the same way, and deploys nothing.
    await git(work, 'checkout', '--quiet', '-b', 'fix');
    await git(work, 'commit', '--quiet', '--allow-empty', '-m', 'Fix');
    await git(work, 'push', '--quiet', `${host.url}/shop/slipway.git`, 'fix');
    const fix = await vi.waitFor(
      async () => {
        const answer = await dev.get('/job/slipway%2Ffix/1/api/json');
        expect([answer.status, answer.body?.building]).toEqual([200, false]);
        return answer.body;
      },
      { timeout: 20_000, interval: 50 },
    );
    expect(fix.result).toBe('SUCCESS');
    await vi.waitFor(() => expect(lake.taken).toHaveLength(3), {
      timeout: 20_000,
      interval: 50,
    });
    expect(
      lake.taken.filter(({ type }) => type.includes('service.deployed')),
    ).toHaveLength(1);
    expect([forge.refused, lake.refused]).toEqual([[], []]);
  } finally {
    await server.stop();
    host.stop();
    forge.server.close();
    lake.server.close();
  }
});
