import { spawn } from 'node:child_process';
import { EventEmitter, once } from 'node:events';
import { GuardedProcess, type ProcessEnd } from './GuardedProcess.ts';

/** A part with a child process; prints both process ids. */
const PART_WITH_CHILD = `
  const child = require('node:child_process').spawn('sleep', ['600']);
  console.log(process.pid + ' ' + child.pid);
  setInterval(() => {}, 1000);
`;
const DEAF_PART = `
  process.on('SIGTERM', () => console.log('not listening'));
  console.log(process.pid + ' ' + process.pid);
  setInterval(() => {}, 1000);
`;

/** Logs while shutting down, then signals the process WITNESS. */
const TALKATIVE_PART = `
  process.on('SIGTERM', async () => {
    for (let i = 0; i < 5; i++) {
      console.log('closing', i);
      await new Promise(resolve => setTimeout(resolve, 20));
    }
    process.kill(Number(process.env.WITNESS), 'SIGUSR2');
    process.exit();
  });
  console.log(process.pid);
  setInterval(() => {}, 1000);
`;

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

async function waitUntilGone(pids: number[]): Promise<void> {
  await vi.waitFor(() => expect(pids.filter(isAlive)).toEqual([]), {
    timeout: 10_000,
    interval: 50,
  });
}

const running: GuardedProcess[] = [];

function startGuarded(command: [string, ...string[]], graceMs = 5_000) {
  const events = new EventEmitter();
  const printed = once(events, 'output').then(([text]) => String(text));
  const ended = once(events, 'end').then(([end]) => end as ProcessEnd);
  const guarded = new GuardedProcess({
    command,
    cwd: process.cwd(),
    env: process.env,
    graceMs,
    onOutput: text => events.emit('output', text),
    onSpawn: () => {},
    onEnd: end => events.emit('end', end),
  });
  running.push(guarded);
  return { guarded, printed, ended };
}

/** Starts a guarded part and waits for the process ids that it prints. */
async function startPart(source: string, graceMs?: number) {
  const { guarded, printed, ended } = startGuarded(
    ['node', '-e', source],
    graceMs,
  );
  return { guarded, ended, pids: parsePids(await printed) };
}

function parsePids(output: string): number[] {
  return output.trim().split(' ').map(Number);
}

/** Starts a runner as a separate process with one guarded part. */
async function startRunner(partSource: string, env = process.env) {
  const module = new URL('./GuardedProcess.ts', import.meta.url).href;
  const source = `
    import { GuardedProcess } from ${JSON.stringify(module)};
    new GuardedProcess({
      command: ['node', '-e', ${JSON.stringify(partSource)}],
      cwd: process.cwd(),
      env: process.env,
      graceMs: 5000,
      onOutput: text => process.stdout.write(text),
      onSpawn: () => {},
      onEnd: () => {},
    });
  `;
  const runner = spawn(
    process.execPath,
    ['--input-type=module', '-e', source],
    { env },
  );
  const [output] = await once(runner.stdout, 'data');
  return { runner, pids: parsePids(String(output)) };
}

describe('GuardedProcess', () => {
  afterEach(() => running.splice(0).forEach(guarded => guarded.kill()));

  it('ends the part and its children when it is stopped', async () => {
    const { guarded, pids, ended } = await startPart(PART_WITH_CHILD);

    guarded.stop();

    expect(await ended).toEqual({ code: null, signal: 'SIGTERM' });
    await waitUntilGone(pids);
  });

  it('kills a part that does not end within its grace', async () => {
    const { guarded, pids, ended } = await startPart(DEAF_PART, 300);

    guarded.stop();

    expect(await ended).toEqual({ code: null, signal: 'SIGKILL' });
    await waitUntilGone(pids);
  });

  it('ends processes left by a crashed part, and reports its exit code', async () => {
    const { pids, ended } = await startPart(
      `${PART_WITH_CHILD} setTimeout(() => process.exit(7), 100)`,
    );

    expect(await ended).toEqual({ code: 7, signal: null });
    await waitUntilGone(pids);
  });

  it('ends the part when its guard is killed', async () => {
    const { guarded, pids, ended } = await startPart(PART_WITH_CHILD);

    process.kill(guarded.guardPid!, 'SIGKILL');

    expect(await ended).toMatchObject({ error: 'its guard was killed' });
    await waitUntilGone(pids);
  });

  it('reports why a part could not be started', async () => {
    const { ended } = startGuarded(['no-such-program']);

    expect((await ended).error).toContain('no-such-program ENOENT');
  });

  it('ends the part and its children when the runner is killed', async () => {
    const { runner, pids } = await startRunner(PART_WITH_CHILD);
    expect(pids.map(isAlive)).toEqual([true, true]);

    runner.kill('SIGKILL');

    await waitUntilGone(pids);
  });

  it('allows a part to log while it shuts down after the runner was killed', async () => {
    const goodbye = once(process, 'SIGUSR2');
    const { runner } = await startRunner(TALKATIVE_PART, {
      ...process.env,
      WITNESS: String(process.pid),
    });

    runner.kill('SIGKILL');

    expect(await goodbye).toContain('SIGUSR2');
  });
});
