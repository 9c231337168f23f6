import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { getPriority } from 'node:os';
import {
  endGroup,
  identifyProcess,
  isReachable,
  isRunning,
  listEnvironments,
  listProcesses,
  lowerPriority,
  processNamespace,
  readProcess,
  sendSignal,
  startTimeOf,
} from './index.ts';

const started: ChildProcess[] = [];

/** Starts a shell as the leader of a group; resolves once it reports that it is ready. */
async function startGroup(script: string, env?: NodeJS.ProcessEnv) {
  const child = spawn('sh', ['-c', `${script}; sleep 60 & echo ready; wait`], {
    detached: true,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  started.push(child);
  await once(child.stdout!, 'data');
  return { child, pid: child.pid! };
}

afterEach(() => {
  started.splice(0).forEach(({ pid }) => sendSignal(-pid!, 'SIGKILL'));
});

it('distinguishes a process from another one with the same id', async () => {
  const { child, pid } = await startGroup(':');
  const identity = identifyProcess(pid)!;
  expect(isRunning(identity)).toBe(true);
  expect(isRunning({ ...identity, startedAt: 'another start' })).toBe(false);
  expect(startTimeOf(pid)).toMatch(/^\d+$/);

  const exited = once(child, 'exit');
  sendSignal(-pid, 'SIGKILL');
  await exited;
  expect(isRunning(identity)).toBe(false);
  expect(identifyProcess(pid)).toBeUndefined();
  expect(sendSignal(pid, 0)).toBe(false);
  expect(isReachable(pid)).toBe(false);
});

it('finds processes of other users without being able to signal them', () => {
  expect(isReachable(1)).toBe(true);
});

describe.runIf(process.platform === 'linux')('the process table', () => {
  it('lists processes with their groups, sessions and environments', async () => {
    // Handles a program name that contains a parenthesis and a space.
    const { pid } = await startGroup(
      "exec 2>/dev/null; printf 'a) b' > /proc/$$/comm",
      { SLIPWAY_TEST_MARK: 'lists processes' },
    );
    expect(readProcess(pid)).toMatchObject({
      pid,
      parent: process.pid,
      group: pid,
      session: pid,
      isDead: false,
    });
    const marked = (await listProcesses()).filter(({ environment }) =>
      environment.split('\0').includes('SLIPWAY_TEST_MARK=lists processes'),
    );
    expect(marked.map(({ group }) => group)).toEqual([pid, pid]);
    expect(marked.map(({ parent }) => parent)).toEqual([process.pid, pid]);
    const environments = await listEnvironments();
    expect(environments).toEqual(
      expect.arrayContaining(marked.map(({ environment }) => environment)),
    );
    const { startTime: since } = readProcess(pid)!;
    const later = (await listProcesses({ since })).map(entry => entry.pid);
    expect(later).toEqual(
      expect.arrayContaining(marked.map(({ pid: id }) => id)),
    );
    expect(later).not.toContain(process.pid);
    expect(processNamespace()).toMatch(/^[\da-f-]{36} pid:\[\d+\]$/);
  });

  it('has lower priority for a process after it was lowered', async () => {
    const { pid } = await startGroup(':');
    lowerPriority(pid, 7);
    const niceness = Math.min(19, Math.max(0, getPriority()) + 7);
    expect(getPriority(pid)).toBe(niceness);
    const autogroup = `/proc/${pid}/autogroup`;
    const group = existsSync(autogroup) ? readFileSync(autogroup, 'utf8') : '';
    expect(group).toMatch(new RegExp(`^$| nice ${niceness}$`, 'm'));
    lowerPriority(2 ** 30, 7);
  });

  it('considers a zombie process ended', async () => {
    // The shell is replaced by a program that never reaps its child.
    const { pid } = await startGroup('sleep 0.2 & echo ready; exec sleep 60');
    const zombie = () =>
      listProcesses().then(all =>
        all.find(({ group, isDead }) => group === pid && isDead),
      );
    await vi.waitFor(async () => expect(await zombie()).toBeDefined());
    expect(startTimeOf((await zombie())!.pid)).toBeUndefined();
  });
});

it('ends a group with SIGTERM, and then with SIGKILL', async () => {
  const polite = await startGroup(':');
  const stubborn = await startGroup("trap '' TERM");
  const exits = Promise.all([
    once(polite.child, 'exit'),
    once(stubborn.child, 'exit'),
  ]);
  await Promise.all([
    endGroup(polite.pid, { graceMs: 60_000 }),
    endGroup(stubborn.pid, { graceMs: 200 }),
  ]);
  const [[, politely], [, stubbornly]] = await exits;
  expect([politely, stubbornly]).toEqual(['SIGTERM', 'SIGKILL']);
});

it('reads start times with ps if there is no /proc', () => {
  const platform = vi.spyOn(process, 'platform', 'get');
  platform.mockReturnValue('darwin');
  try {
    const lstart = execFileSync(
      'ps',
      ['-o', 'lstart=', '-p', String(process.pid)],
      { encoding: 'utf8', env: { ...process.env, LC_ALL: 'C' } },
    );
    expect(startTimeOf(process.pid)).toBe(String(Date.parse(lstart)));
    expect(startTimeOf(2 ** 30)).toBeUndefined();
  } finally {
    platform.mockRestore();
  }
});
