import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, rm, utimes } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { isolationFault } from '../../__testUtils__/isolationModes.ts';
import {
  makeUnremovable,
  removeAnyhow,
} from '../../__testUtils__/unremovableFolder.ts';
import { chooseIsolation } from '../../isolation/chooseIsolation.ts';
import type { Isolation } from '../../isolation/Isolation.ts';
import { runProcess } from './processes.ts';
import { Standby, type TakenPlace } from './Standby.ts';

let directory: string;
let isolation: Isolation;
let standby: Standby;

// eslint-disable-next-line jest/no-done-callback -- the test's context
beforeEach(async context => {
  context.skip(isolationFault !== undefined, isolationFault);
  directory = await mkdtemp(path.join(tmpdir(), 'build-standby-'));
  isolation = await chooseIsolation(
    {
      executors: 1,
      path: '/usr/bin:/bin',
      git: { protocols: [] },
      isolation: {
        mode: 'required',
        readable: [],
        firstUid: 2_000_400_000,
        limits: { processes: 200, fileMiB: 64, diskMiB: 1_024 },
      },
    },
    { directory, isProduction: false, logger: { info() {}, warn() {} } },
  );
  standby = new Standby({ directory, isolation });
  await standby.prepare();
});

afterEach(async () => {
  await standby?.close();
  await rm(directory, { recursive: true, force: true });
});

const folderOf = (name: string) => path.join(directory, name);

/** Runs a script as the first command of a build, and ends the build. @returns its output. */
async function run(
  taken: TakenPlace,
  name: string,
  script: string,
  environment: Record<string, string> = {},
): Promise<string> {
  let said = '';
  await runProcess(
    () => taken.program.exec(['/bin/sh', '-e', '-c', script], environment),
    {
      signal: new AbortController().signal,
      killAfterMs: 1_000,
      output: async chunk => {
        said += chunk;
      },
      endsProcesses: true,
      onStart() {},
    },
  );
  const build = { buildId: taken.number, directory: folderOf(name) };
  await isolation.release(build);
  return said;
}

/** Commands of this machine's processes that name the folder. */
function commands(): string[] {
  return execFileSync('ps', ['-eww', '-o', 'args='])
    .toString()
    .split('\n')
    .filter(line => line.includes(directory));
}

it('runs the first command of a build in its folders', async () => {
  const taken = (await standby.take(folderOf('7')))!;
  const said = await run(
    taken,
    '7',
    'pwd; echo kept > file; ls /proc | grep -c "^[0-9]"; cat; id -un',
  );
  expect(said).toMatch(/^\/build\/work\n\d\nbuild\n$/);
  expect(existsSync(folderOf('7/work/file'))).toBe(true);
});

it('passes exactly the variables of the build', async () => {
  const taken = (await standby.take(folderOf('7')))!;
  const environment = {
    PATH: '/usr/bin:/bin',
    QUOTES: `it's "$HOME" \`id\` \\ $(id)`,
    LINES: 'one\ntwo\n',
    LETTERS: 'ŁÖ€ \u0081\u0088 🎉',
    EMPTY: '',
  };
  const said = await run(taken, '7', 'env -0', environment);
  const lines = said.split('\0').filter(line => !/^(?:PWD=|$)/.test(line));
  expect(lines.sort()).toEqual(
    Object.entries(environment)
      .map(([name, value]) => `${name}=${value}`)
      .sort(),
  );
});

it('refuses variables that a shell has for itself', async () => {
  const { program } = (await standby.take(folderOf('7')))!;
  expect(program.accepts({ JOB_NAME: 'job', lower_1: '' })).toBe(true);
  for (const name of ['PPID', 'OPTIND', 'a.b', '1st', 'a b', 'BASH_ENV']) {
    expect([name, program.accepts({ [name]: '1' })]).toEqual([name, false]);
  }
  program.end();
});

it('gives a place to a single build, and prepares the next one', async () => {
  const taken = await Promise.all([
    standby.take(folderOf('7')),
    standby.take(folderOf('8')),
  ]);
  expect(taken.filter(one => one !== undefined)).toHaveLength(1);
  taken[0]?.program.end();
  await vi.waitUntil(async () => {
    const next = await standby.take(folderOf('9'));
    next?.program.end();
    return next;
  });
});

it('waits until a burst is over before it prepares the next place', async () => {
  await standby.close();
  let settle = () => {};
  const settled = new Promise<void>(resolve => {
    settle = resolve;
  });
  standby = new Standby({ directory, isolation, untilSettled: () => settled });
  await standby.prepare();
  (await standby.take(folderOf('7')))?.program.end();
  await sleep(200);
  expect(await standby.take(folderOf('8'))).toBeUndefined();
  settle();
  await vi.waitUntil(async () => {
    const next = await standby.take(folderOf('9'));
    next?.program.end();
    return next;
  });
});

it('gives no place whose view of the machine is outdated', async () => {
  const [outdated] = await readdir(directory);
  const view = vi.spyOn(isolation, 'view').mockReturnValue('replaced');
  expect(await standby.take(folderOf('7'))).toBeUndefined();
  view.mockRestore();
  expect(await readdir(directory)).not.toContain(outdated);
  expect(commands().join()).not.toContain(outdated);
});

it('gives no place whose program has ended', async () => {
  await vi.waitUntil(() => commands().length > 0);
  execFileSync('pkill', ['-9', '-f', directory]);
  await vi.waitUntil(() => commands().length === 0);
  await sleep(100);
  expect(await standby.take(folderOf('7'))).toBeUndefined();
});

it('leaves nothing when it closes', async () => {
  await vi.waitUntil(() => commands().length > 0);
  await standby.close();
  expect(await readdir(directory)).toEqual([]);
  await vi.waitUntil(() => commands().length === 0);
  await standby.prepare();
  expect(await standby.take(folderOf('7'))).toBeUndefined();
});

it('removes what killed processes have left a day ago', async () => {
  const day = Date.now() / 1_000 - 90_000;
  await mkdir(folderOf('next-1/work'), { recursive: true });
  await utimes(folderOf('next-1'), day, day);
  await mkdir(folderOf('next-2'));
  await standby.tidy(await readdir(directory));
  const names = await readdir(directory);
  expect(names).not.toContain('next-1');
  expect(names).toContain('next-2');
});

it('removes them although one cannot be removed', async () => {
  const day = Date.now() / 1_000 - 90_000;
  await makeUnremovable(folderOf('next-1'));
  await mkdir(folderOf('next-2'));
  await utimes(folderOf('next-1'), day, day);
  await utimes(folderOf('next-2'), day, day);
  await expect(standby.tidy(['next-1', 'next-2'])).rejects.toThrow(
    'ENAMETOOLONG',
  );
  expect(await readdir(directory)).not.toContain('next-2');
  await removeAnyhow(folderOf('next-1'));
});
