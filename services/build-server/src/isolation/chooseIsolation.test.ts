import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createService } from '@slipway/service-kit';
import { buildServer } from '../service.ts';
import { isolationFault } from '../__testUtils__/isolationModes.ts';
import { writeJobs } from '../__testUtils__/startBuildServer.ts';
import { chooseIsolation } from './chooseIsolation.ts';
import type { Isolation } from './Isolation.ts';
import { withoutIsolation } from './Isolation.ts';
import { probeSandbox } from './probeSandbox.ts';
import { Sandbox } from './Sandbox.ts';

let directory: string;
let said: string[];

beforeEach(async () => {
  directory = await mkdtemp(path.join(tmpdir(), 'build-isolation-'));
  said = [];
});

afterEach(() => rm(directory, { recursive: true, force: true }));

const choose = (
  isolation: { mode: 'auto' | 'required' | 'unsafe-none' },
  more: { isProduction?: boolean; firstUid?: number } = {},
): Promise<Isolation> =>
  chooseIsolation(
    {
      executors: 1,
      path: '/usr/bin:/bin',
      git: { protocols: [] },
      isolation: {
        readable: [],
        limits: { processes: 4_096, fileMiB: 1_024, diskMiB: 1_024 },
        firstUid: 2_000_100_000,
        ...isolation,
        ...more,
      },
    },
    {
      directory,
      isProduction: more.isProduction ?? false,
      logger: { info: text => said.push(text), warn: text => said.push(text) },
    },
  );

describe('the probe', () => {
  it('finds that plain processes keep nothing apart', async () => {
    const fault = await probeSandbox(
      {
        ...withoutIsolation(''),
        // The attack on the parent is for sandboxes: here it would end the test.
        command: (_build, [shell, flag, script, ...rest]) => [
          shell,
          flag,
          script
            .replace('kill -9 $PPID', 'true')
            .replaceAll('sleep 300', 'sleep 1'),
          ...rest,
        ],
      },
      { directory, serverNamespace: 'pid:[1]' },
    );
    expect(fault).toContain('it reads the folder of the server');
  });
});

describe('a sandbox that does not hold', () => {
  // bubblewrap must not be started as root of another user namespace.
  const broken = { mode: 'auto' as const };
  const breaking = { firstUid: 0 };

  // eslint-disable-next-line jest/no-done-callback -- the test's context
  it('continues with a warning in development, and refuses to start in production', async context => {
    context.skip(isolationFault !== undefined, isolationFault);
    context.skip(process.getuid!() !== 0, 'Another user cannot become root');
    const { status } = await choose(broken, breaking);
    expect(status).toMatchObject({
      kind: 'none',
      gaps: [
        expect.stringContaining('root'),
        expect.any(String),
        expect.stringContaining('Builds with services run one at a time'),
      ],
    });
    expect(said.join()).toContain(
      'Builds are not isolated. bubblewrap does not',
    );
    const REFUSAL =
      /buildServer.isolation.mode: builds cannot be isolated here.*unsafe-none/;
    await expect(
      choose(broken, { ...breaking, isProduction: true }),
    ).rejects.toThrow(REFUSAL);
    await expect(choose({ mode: 'required' }, breaking)).rejects.toThrow(
      REFUSAL,
    );
  });
});

// eslint-disable-next-line jest/no-done-callback -- the test's context
it('is attacked only before the first start with its configuration', async context => {
  context.skip(isolationFault !== undefined, isolationFault);
  await choose({ mode: 'required' });
  const prepare = vi.spyOn(Sandbox.prototype, 'prepare');
  const { status } = await choose({ mode: 'required' });
  expect(status.kind).toBe('bubblewrap');
  expect(prepare).not.toHaveBeenCalled();
  await choose({ mode: 'required' }, { firstUid: 2_000_500_000 });
  expect(prepare).toHaveBeenCalled();
  prepare.mockRestore();
});

it('can be disabled in production by configuration', async () => {
  const { status } = await choose(
    { mode: 'unsafe-none' },
    { isProduction: true },
  );
  expect(status.kind).toBe('none');
  expect(said).toEqual([
    expect.stringContaining('as configured in buildServer.isolation.mode'),
  ]);
});

it('is reported by a server that runs no builds', async () => {
  const service = await createService(buildServer, {
    config: {
      executors: 0,
      listen: { port: 0 },
      logging: { level: 'silent' },
      portal: { baseUrl: 'http://127.0.0.1:1' },
      database: {
        client: 'better-sqlite3',
        connection: { filename: ':memory:' },
      },
      jobsDirectory: await writeJobs(directory, []),
      dataDirectory: path.join(directory, 'data'),
      auth: {
        users: [{ name: 'dev', key: 'a-key-of-a-user', scopes: ['read'] }],
      },
    },
  });
  const answer = await service.app.inject({
    url: '/isolation',
    headers: {
      authorization: `Basic ${Buffer.from('dev:a-key-of-a-user').toString(
        'base64',
      )}`,
    },
  });
  await service.stop();
  expect(answer.json()).toEqual({
    kind: 'elsewhere',
    limits: null,
    gaps: [],
    containers: null,
  });
});
