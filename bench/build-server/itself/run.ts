import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs, promisify } from 'node:util';
import { serveGit } from '@slipway/build-server/src/__testUtils__/serveGit.ts';
import { duration } from '../../runBench.ts';
import { startServer } from '../../startServer.ts';
import { startForge } from './startForge.ts';
import { startLake } from './startLake.ts';

// Builds this repository with its own build server: `yarn bench:build-itself`. Pushes the last
// commit to a bare repository, whose signed webhook triggers `.slipway/build.yaml` on a real
// server. Prints each step, and exits with 1 unless the build succeeds, its status is reported to
// the forge and its deployment to the delivery lake.

const random = () => randomBytes(24).toString('hex');
const TOKEN = random();
const WEBHOOK = random();
const SIGNING = random();
const FORGE_TOKEN = random();
const LAKE_TOKEN = random();
const ROOT = path.resolve(import.meta.dirname, '../../..');

interface Build {
  building: boolean;
  result: string | null;
  reason: string | null;
  duration: number;
  tests: { total: number; failed: number } | null;
  steps: {
    name: string;
    state: string;
    startedAt: number | null;
    finishedAt: number | null;
    message: string | null;
  }[];
}

/** Runs git; asynchronously, because this process serves git's requests. */
async function git(cwd: string, ...args: string[]): Promise<string> {
  const { stdout } = await promisify(execFile)(
    'git',
    ['-c', 'core.hooksPath=/dev/null', ...args],
    { cwd, timeout: 120_000 },
  );
  return stdout.trim();
}

/** Creates the forge's bare repository. Its hook sends a signed webhook for each push, as Gitea does. */
async function makeBare(bare: string, server: string): Promise<void> {
  mkdirSync(bare, { recursive: true });
  await git(bare, 'init', '--quiet', '--bare', '-b', 'main');
  await git(bare, 'config', 'http.receivepack', 'true');
  // Otherwise git refuses a push from a shallow clone.
  await git(bare, 'config', 'receive.shallowUpdate', 'true');
  const hook = path.join(bare, 'hooks/post-receive');
  writeFileSync(
    hook,
    `#!/bin/sh
while read -r before after ref; do
  body="{\\"ref\\":\\"$ref\\",\\"before\\":\\"$before\\",\\"after\\":\\"$after\\",\\"repository\\":{\\"full_name\\":\\"slipway/slipway\\"},\\"pusher\\":{\\"login\\":\\"ada\\"}}"
  mac=$(printf %s "$body" | openssl dgst -sha256 -hmac ${SIGNING} -r | cut -d' ' -f1)
  curl -fsS -m 20 '${server}/generic-webhook-trigger/invoke?token=${WEBHOOK}' \\
    -H 'content-type: application/json' -H 'x-gitea-event: push' \\
    -H "x-gitea-signature: $mac" -d "$body"
done
`,
  );
  chmodSync(hook, 0o755);
}

/** Returns the environment variables that point npm and Node to certificate authorities. */
function certificateVariables(): Record<string, string> {
  const names = ['NODE_EXTRA_CA_CERTS', 'SSL_CERT_FILE', 'npm_config_cafile'];
  return Object.fromEntries(
    names.flatMap(name => {
      const value =
        process.env[name] ??
        (name === 'npm_config_cafile'
          ? process.env.NODE_EXTRA_CA_CERTS
          : undefined);
      return value === undefined ? [] : [[name, value]];
    }),
  );
}

/** Starts the server with a job for the repository. */
function startBuilds(
  directory: string,
  options: {
    gitUrl: string;
    forgeUrl: string;
    lakeUrl: string;
    isolation: string;
  },
) {
  const jobs = path.join(directory, 'jobs');
  mkdirSync(jobs, { recursive: true });
  writeFileSync(
    path.join(jobs, 'slipway.yaml'),
    JSON.stringify({
      name: 'slipway',
      source: {
        repository: `${options.gitUrl}/slipway/slipway.git`,
        branch: 'main',
      },
      webhook: { token: 'hook', signingSecrets: ['signing'] },
      pipelines: {},
      deployment: {
        service: 'slipway',
        environment: 'production',
        step: 'Release',
      },
      timeoutSeconds: 3_600,
    }),
  );
  const empty = path.join(directory, 'empty.yaml');
  writeFileSync(empty, '{}\n');
  return startServer({
    command: ['node', 'src/main.ts', '--config', empty],
    cwd: 'services/build-server',
    ready: '/ready',
    env: port => ({
      APP_CONFIG_buildServer: JSON.stringify({
        listen: { host: '127.0.0.1', port },
        portal: { baseUrl: options.lakeUrl },
        portalToken: LAKE_TOKEN,
        database: {
          client: 'better-sqlite3',
          connection: { filename: path.join(directory, 'db.sqlite') },
        },
        jobsDirectory: jobs,
        dataDirectory: path.join(directory, 'data'),
        executors: 1,
        isolation: { mode: options.isolation },
        git: { protocols: ['http'] },
        environment: certificateVariables(),
        caches: { maxBytes: 4_294_967_296, quotaBytes: 8_589_934_592 },
        secrets: { hook: WEBHOOK, signing: SIGNING },
        forges: {
          local: {
            kind: 'gitea',
            url: options.gitUrl,
            apiUrl: options.forgeUrl,
            token: FORGE_TOKEN,
          },
        },
        auth: {
          users: [{ name: 'itself', key: TOKEN, scopes: ['read'] }],
          triggerGroups: [],
        },
      }),
    }),
  });
}

async function run(): Promise<boolean> {
  const { values } = parseArgs({
    options: {
      minutes: { type: 'string', default: '45' },
      isolation: { type: 'string', default: 'required' },
      branch: { type: 'string', default: 'main' },
    },
  });
  const directory = mkdtempSync(path.join(tmpdir(), 'build-itself-'));
  const forge = await startForge(FORGE_TOKEN);
  const lake = await startLake(LAKE_TOKEN);
  const host = await serveGit(path.join(directory, 'git'));
  const builds = await startBuilds(directory, {
    gitUrl: host.url,
    forgeUrl: forge.url,
    lakeUrl: lake.url,
    isolation: values.isolation,
  });
  const fetchText = async (pathname: string) => {
    const basic = Buffer.from(`itself:${TOKEN}`).toString('base64');
    const response = await fetch(builds.url + pathname, {
      headers: { authorization: `Basic ${basic}` },
    });
    return response.ok ? response.text() : undefined;
  };
  try {
    await makeBare(path.join(directory, 'git/slipway/slipway.git'), builds.url);
    await git(
      ROOT,
      ...['push', '--quiet', `${host.url}/slipway/slipway.git`],
      `HEAD:refs/heads/${values.branch}`,
    );
    const sha = await git(ROOT, 'rev-parse', 'HEAD');
    const page = `/job/${encodeURIComponent(`slipway/${values.branch}`)}/1`;
    const until = Date.now() + Number(values.minutes) * 60_000;
    const shown = new Map<string, string>();
    for (let build: Build | undefined; Date.now() < until; await sleep(500)) {
      const text = await fetchText(`${page}/api/json`);
      build = text === undefined ? undefined : (JSON.parse(text) as Build);
      for (const step of build?.steps ?? []) {
        printStep(step, shown);
      }
      if (build && !build.building) {
        console.log(
          `${build.result} in ${duration(build.duration)}${
            build.reason === null ? '' : `: ${build.reason}`
          }; tests: ${build.tests?.total ?? 0}, failed: ${
            build.tests?.failed ?? 0
          }`,
        );
        if (build.result !== 'SUCCESS') {
          const log = (await fetchText(`${page}/consoleText`)) ?? '';
          writeFileSync(path.join(ROOT, '.data/build-itself.log'), log);
          console.log('The log is in .data/build-itself.log');
        }
        const isTold = await forge.told(sha, build.result === 'SUCCESS');
        console.log(
          `Statuses at the forge: ${forge.states().join(', ')}${
            forge.refused.length === 0
              ? ''
              : `; refused: ${forge.refused.join('; ')}`
          }`,
        );
        const isDeployed = await lake.deployed({ service: 'slipway', sha });
        console.log(
          isDeployed
            ? 'The delivery lake received the deployment'
            : `The delivery lake received no deployment${
                lake.refused.length === 0
                  ? ''
                  : `; refused: ${lake.refused.join('; ')}`
              }`,
        );
        return build.result === 'SUCCESS' && isTold && isDeployed;
      }
    }
    console.log(`It did not end within ${values.minutes} minutes`);
    return false;
  } finally {
    await builds.stop();
    host.stop();
    forge.stop();
    lake.stop();
    rmSync(directory, { recursive: true, force: true });
  }
}

function printStep(
  step: Build['steps'][number],
  shown: Map<string, string>,
): void {
  if (shown.get(step.name) === step.state) {
    return;
  }
  shown.set(step.name, step.state);
  const { startedAt, finishedAt, message } = step;
  const time =
    startedAt !== null && finishedAt !== null
      ? ` ${duration(finishedAt - startedAt)}`
      : '';
  console.log(
    `${new Date().toISOString().slice(11, 19)} ${step.name}: ${
      step.state
    }${time}${message === null ? '' : ` (${message})`}`,
  );
}

run().then(
  isDone => process.exit(isDone ? 0 : 1),
  error => {
    console.error(error);
    process.exit(1);
  },
);
